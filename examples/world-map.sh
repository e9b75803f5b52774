#!/usr/bin/env bash
# Three rounds of a made-up world-map Nomic: four players, a map that grows, a new rule, a judgement.
#
#   REFEREE=target/debug/referee examples/world-map.sh [FOLDER]
#
# The game is played in FOLDER, or in a temporary one. The dice of movements are those that the players threw; what a space
# provides is drawn with the minute of the post as the seed. So each run ends with the same file, which is world-map.yaml.
source "$(dirname "${BASH_SOURCE[0]}")/play.sh"

tick()    { play tick-phase; }
move()    { play move "$1" --roll "$2" -s "path=$3"; }           # who, the die, the way
propose() { play proposal submit "$@"; }
vote()    { play proposal vote "$@"; }
judge()   { play judge "$@"; }

# What the rules do not allow (exit code 3), and what leaves a choice open (4).
refused() { local code=0; "$@" 2>&1 || code=$?; [ "$code" = 3 ]; }
asked()   { local code=0; "$@" 2>&1 || code=$?; [ "$code" = 4 ]; }

mkdir -p "$game"
cd "$game"
cp -R "$here/world-map" .

### Before the game ##################################################################################################

# On this map nothing is known but the origin.
"$referee" init --id world-map --ruleset world-map --started 2024-01-05
"$referee" check

at 01-05 08:00; join Dana Bela chidi Anouk

### Round 1: Anouk, Bela, chidi, Dana ################################################################################

# The first move begins the game. Anouk proposes a rule, which comes with its files.
at 01-05 09:00
refused play move Bela                                    # the alphabet begins with Anouk
move Anouk 3 "(0, 1),(0, 2),(1, 2)"
refused join Edda                                         # the round has begun
propose Anouk "Harvest" --rules world-map/rules/harvest --text "Whoever lands on a space gets one of what it provides."
vote 201 --for Anouk,Bela,chidi
vote 201 Dana for                                         # now it is unanimous
tick

# With Bela's turn the rule is in effect, and Bela gets something.
at 01-05 12:00
move Bela 2 "(1, 0),(2, 0)"
propose Bela "Fences" --text "Nobody passes through a space on which somebody stands."
vote 202 --for Bela,Anouk --against chidi
tick                                                      # Dana has not voted, and chidi is against it

# Chidi throws first, and thinks about the way for a while.
at 01-05 15:00
asked play move chidi --roll 4
refused tick
play resume chidi -s 'path=(-1, 0),(-1, -1),(-2, -1),(-2, -2)'
tick
tick                                                      # no proposal

at 01-05 18:00
move Dana 3 "(0, 1),(0, 2),(0, 3)"
propose Dana "Names for spaces" --text "Whoever lands on a space first gives it a name."
vote 203 --for Anouk,Bela,chidi,Dana
tick

### Round 2 ##########################################################################################################

# Where Bela landed, Anouk lands too: what it provides is known. Bela insists that the way was too long; Dana, who has the
# turn before Anouk's, is the Judge.
at 01-06 09:00
move Anouk 3 "(2, 2),(2, 1),(2, 0)"
judge request Bela "From (1, 2) to (2, 0): is that as far as the die says?"
refused judge rule Bela --request 1 --text "No."
judge rule Dana --request 1 --text "One to the east and two to the south make three."
propose Anouk "Harvest, once" --class "amend 201" --text "Whoever lands on a space first gets one of what it provides."
vote 1 --for Anouk,Dana --against Bela,chidi
tick

at 01-06 12:00
move Bela 5 "(2, -1),(2, -2),(2, -3),(1, -3),(1, -4)"
tick
judge request chidi "Is who says nothing against it?"
judge rule Anouk --request 2 --text "Silence is no vote." --set abstention=ignored
propose Bela "A longer table" --text "Proposals are written on paper."
vote 204 --for Bela,chidi
tick                                                      # so two votes are enough

at 01-06 15:00
move chidi 6 "(-3, -2),(-4, -2),(-5, -2),(-6, -2),(-7, -2),(-8, -2)"
propose chidi "No names" --class "repeal 203" --text "Rule 203 is repealed."
vote 2 --for chidi,Anouk,Bela,Dana
tick

at 01-06 18:00
move Dana 1 "(0, 4)"
tick
tick

### Round 3 ##########################################################################################################

at 01-07 09:00
move Anouk 2 "(1, 0),(0, 0)"                              # back on the origin, where there is nothing to get
judge request Dana "Do rules 204 and 201 conflict?"
judge rule Dana --request 3 --text "They do not."
tick
tick

at 01-07 12:00
move Bela 4 "(0, -4),(0, -5),(-1, -5),(-2, -5)"
tick
tick

at 01-07 15:00
move chidi 2 "(-8, -1),(-8, 0)"
tick
tick

at 01-07 18:00
move Dana 6 "(1, 4),(2, 4),(3, 4),(4, 4),(5, 4),(6, 4)"
propose Dana "Winter" --text "After round 12 the game is over."
vote 205 --for Anouk,Bela,chidi,Dana
tick                                                      # round 4 begins

"$referee" check
"$referee" verify
grep -A 3 '^state:' gamestate.yaml
echo "the game is in $game"
