"""Times `referee move` as a whole process against a ruamel.yaml script that makes the same edit, in turns.

    pip install ruamel.yaml
    cargo build --release
    python3 benches/whole_process.py [RUNS] [--items]

Prints medians of wall time and peak memory. Three games: the sample game with a log of 200 entries, a board of 100,000
spaces, and, for the start alone, `referee legal` against `true`. `use-item` is timed against `move`.
"""

import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFEREE = pathlib.Path(os.environ.get("REFEREE", ROOT / "target/release/referee"))
MOVE = ["move", "Lime", "--roll", "3,1", "--no-input", "--decline", "--at", "2024-02-02T12:00:00Z", "-q"]


def sample_with_log(entries: int) -> str:
    text = (ROOT / "gamestate.yaml").read_text()
    log = "".join(
        f"  - id: {n}\n    at: 2024-01-{5 + n % 20:02}T18:22:00Z\n    phase: {1 + n * 7 // entries}\n"
        f"    do: move Nyhilo\n    random: {{roll: [{1 + n % 4}, {1 + n % 3}]}}\n"
        f"    chosen: {{path: [-206, -207, -208, -209]}}   # as posted\n"
        f"    changes:\n      /players/Nyhilo/location: [-205, -209]\n    ruleset: cycle-15@3f9a1c2e\n"
        for n in range(1, entries + 1))
    return text.replace("\nlog: []\n", "\nlog:\n" + log)


def large(spaces: int) -> str:
    head = "# a large board\nformat: 1\nruleset: cycle-15\nstarted: 2024-01-05T00:00:00Z\nphase: 9\nplayers:\n"
    players = "".join(f"  Player {n}: {{location: {n * 7}, items: {{Mauve: 1}}}}\n" for n in range(200))
    rows = "".join(
        f"  {n}: {{type: {'Blank' if n % 3 else 'Shard Pile'}, successors: [{(n + 1) % spaces}]}}"
        + ("   # a note beside it\n" if n % 5 == 0 else "\n") for n in range(spaces))
    return head + players + "  Lime: {location: 9}\nspaces:\n" + rows + "pending: []\nlog: []\n"


def run(command: list[str]) -> tuple[float, int]:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}: {said.decode()}")
    return took, usage.ru_maxrss


def compare(name: str, text: str, runs: int, slow: int, folder: pathlib.Path) -> None:
    """Runs both in turns; the script, which can take a minute, only in the first `slow` turns."""
    source, copy = folder / "source.yaml", folder / "gamestate.yaml"
    source.write_text(text)
    ours = [str(REFEREE), "-f", str(copy), *MOVE]
    theirs = [sys.executable, str(ROOT / "benches/ruamel_move.py"), str(copy), "Lime", "9", "13"]
    figures: dict[str, list[tuple[float, int]]] = {"referee move": [], "ruamel.yaml script": []}
    for turn in range(runs):
        for label, command in zip(figures, (ours, theirs) if turn < slow else (ours,)):
            shutil.copyfile(source, copy)
            figures[label].append(run(command))
    medians = {label: (statistics.median(t for t, _ in rows), max(m for _, m in rows)) for label, rows in figures.items()}
    size = source.stat().st_size
    for label, (took, memory) in medians.items():
        print(f"| {name} | {label} | {took * 1000:.1f} ms | {memory / 1024:.0f} MB | {memory * 1024 / size:.1f}× |")
    ratio = medians["ruamel.yaml script"][0] / medians["referee move"][0]
    print(f"| {name} | ratio | 1/{ratio:.0f} | | |")


def items(runs: int, folder: pathlib.Path) -> None:
    """`use-item` against `move` on the small game, in turns: an item of one line, one that moves, one that goes back."""
    copy = folder / "gamestate.yaml"
    source = folder / "source.yaml"
    source.write_text(sample_with_log(200))
    common = ["--no-input", "--decline", "--at", "2024-02-02T12:00:00Z", "-q"]
    give = [str(REFEREE), "-f", str(source), "adjudicate", "--because", "for the bench", "-q", "--at", "2024-02-01T12:00:00Z"]
    for item in ("Recall Potion", "Time Bean Chili", "Draught of Fudging"):
        give += ["--set", f"/players/Lime/items/{item}=1"]
    subprocess.run(give, check=True)
    subprocess.run([str(REFEREE), "-f", str(source), *MOVE], check=True)
    commands = {
        "referee move": ["move", "Nyhilo", "--roll", "3,1"],
        "referee use-item, Recall Potion": ["use-item", "Lime", "Recall Potion"],
        "referee use-item, Time Bean Chili": ["use-item", "Lime", "Time Bean Chili", "--roll", "3,1"],
        "referee use-item, Draught of Fudging": ["use-item", "Lime", "Draught of Fudging", "-s", "die=1", "-s", "sign=-"],
    }
    figures: dict[str, list[float]] = {label: [] for label in commands}
    for _ in range(runs):
        for label, command in commands.items():
            shutil.copyfile(source, copy)
            figures[label].append(run([str(REFEREE), "-f", str(copy), *command, *common])[0])
    base = statistics.median(figures["referee move"])
    for label, rows in figures.items():
        took = statistics.median(rows)
        print(f"| 121 spaces, 200 entries | {label} | {took * 1000:.1f} ms | | {took / base:.2f}× of move |")


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print("| game | command | median wall time | peak memory | of the file |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        empty = statistics.median(run(["true"])[0] for _ in range(5 * runs))
        ready = statistics.median(run([str(REFEREE), "-f", str(ROOT / "gamestate.yaml"), "legal", "Lime", "-q"])[0]
                                  for _ in range(5 * runs))
        print(f"| start | true | {empty * 1000:.1f} ms | | |")
        print(f"| start | referee legal Lime | {ready * 1000:.1f} ms | | |")
        items(3 * runs, folder)
        if "--items" in sys.argv:
            return
        compare("121 spaces, 200 entries", sample_with_log(200), runs, runs, folder)
        compare("100,000 spaces", large(100_000), runs, max(1, runs // 7), folder)


if __name__ == "__main__":
    main()
