"""Moves a player the way a short ruamel.yaml script would: read, change three values, add a log entry, write.

The yardstick of whole_process.py. It checks nothing and resolves nothing; it only edits the file and keeps comments.
"""

import sys
from ruamel.yaml import YAML

path, player, start, end = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
yaml = YAML()
yaml.preserve_quotes = True
yaml.width = 4096
with open(path) as file:
    game = yaml.load(file)
mover = game["players"][player]
mover["location"] = end
mover["moved-in"] = [game["phase"]]
mover["move-action-in"] = game["phase"]
game["log"].append({
    "id": len(game["log"]) + 1,
    "phase": game["phase"],
    "do": f"move {player}",
    "random": {"roll": [3, 1]},
    "changes": {f"/players/{player}/location": [start, end]},
})
with open(path, "w") as file:
    yaml.dump(game, file)
