# Sourced by the games of this folder: where the program is, where the game is played, and commands that say when they
# were posted.
set -euo pipefail

referee=${REFEREE:-referee}
case $referee in */*) referee=$(cd "$(dirname "$referee")" && pwd)/$(basename "$referee") ;; esac
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
game=${1:-$(mktemp -d)}

# The clock: `at` sets it, and each command that plays takes one minute.
at()  { day=$1 minutes=$((10#${2%:*} * 60 + 10#${2#*:})); }
now() { printf '2024-%sT%02d:%02dZ' "$day" $((minutes / 60)) $((minutes % 60)); }

# A command posted at a moment. Draws come from the moment as the seed; optional effects that nobody mentions are declined.
posted() {
  local moment=$1 draws=(--decline --seed "${1//[^0-9]/}")
  shift
  # What asks for nothing and draws nothing has no such options.
  case $1 in adjudicate | undo | redo | drop | reveal) draws=() ;; esac
  "$referee" --quiet --no-input "${draws[@]}" --at "$moment" "$@"
}

# A command that plays, posted by the clock.
play() {
  local moment
  moment=$(now)
  minutes=$((minutes + 1))
  posted "$moment" "$@"
}

join() { local name; for name; do play join "$name"; done; }
