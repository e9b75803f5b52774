#!/usr/bin/env bash
# A game under the earlier ruleset of the cycle, from `init` to a winner: four players on a small ring, with a wheel.
#
#   REFEREE=target/debug/referee examples/early.sh [FOLDER]
#
# The game is played in FOLDER, or in a temporary one. Every draw comes from the moment of the post as the seed, so each run
# ends with the same file, which is early.yaml.
source "$(dirname "${BASH_SOURCE[0]}")/play.sh"

move() {
  local code=0
  posted "$1" move "$2" 2> /dev/null || code=$?
  # A fork is left open with exit code 4; the way over space 9 is the longer one.
  while [ "$code" = 4 ]; do
    code=0
    posted "$1" resume "$2" -s path=9 2> /dev/null || code=$?
  done
}
over() { grep -q '^  ended: true' gamestate.yaml; }

mkdir -p "$game"
cd "$game"
"$referee" --quiet init --id early --ruleset cycle-15-early --started 2024-01-05
sed -e '/^# A loop of ten/d' -e '/^  [0-9]*: /d' -e '/^spaces:/d' gamestate.yaml > larger.yaml
sed '/^#/d' "$here/early/board.yaml" >> larger.yaml
mv larger.yaml gamestate.yaml
"$referee" check

for name in Ada Bram Cleo Dario; do posted "2024-01-05T08:0${#name}Z" join "$name"; done
posted 2024-01-05T09:00Z proposal submit Ada "Faster dice" --text "The dice of a movement roll are 3d6."

# The days on which phases begin, Fridays and Mondays in turn.
days=(01-05 01-08 01-12 01-15 01-19 01-22 01-26 01-29 02-02 02-05 02-09 02-12 02-16 02-19 02-23 02-26)
for day in "${days[@]}"; do
  if [ "$day" != 01-05 ]; then posted "2024-${day}T00:00Z" tick-phase --to "2024-${day}T00:00Z"; fi
  case $day in
    01-08) posted 2024-01-08T09:00Z proposal vote 1 --for Ada,Bram,Cleo --against Dario ;;
    01-12) posted 2024-01-12T09:00Z adjudicate --set /settings/move-dice=3d6 --because "proposal 1 has taken effect" ;;
  esac
  hour=10
  for name in Ada Bram Cleo Dario; do
    if over; then break 2; fi
    move "2024-${day}T${hour}:00Z" "$name"
    hour=$((hour + 1))
  done
done

"$referee" check
grep -A 1 '^  winners:' gamestate.yaml
echo "the game is in $game"
