#!/usr/bin/env bash
# A month of a made-up game of Infinite Nomic: twenty players, nine phases, from `init` to a winner.
#
#   REFEREE=target/debug/referee examples/month.sh [FOLDER]
#
# The game is played in FOLDER, or in a temporary one. Nothing in it is left to chance: every command says when it was
# posted, and its draws come from that minute as the seed. So each run ends with the same file, which is month.yaml.
source "$(dirname "${BASH_SOURCE[0]}")/play.sh"

tick()     { at "$1" "${2:-00:00}"; play tick-phase --to "$(now)"; echo "2024-$day: $(phase)"; }
phase()    { sed -n 's/^phase: \([0-9]*\).*/phase \1/p' gamestate.yaml; }
leave()    { play leave "$@"; }
move()     { play move "$@"; }
walk()     { local name; for name; do move "$name"; done; }      # several, one after the other
resume()   { play resume "$@"; }
use()      { play use-item "$@"; }
whistle()  { local name; for name; do use "$name" "Summoning Whistle"; done; }
macgyver() { play macgyver "$@"; }
shatter()  { play shatter "$@"; }
trade()    { play trade "$@"; }
combo()    { play combo "$@"; }
propose()  { play proposal submit "$@"; }
proposal() { play proposal "$@"; }
vote()     { play proposal vote "$@"; }
judge()    { play judge "$@"; }
react()    { local to=$1 how=$2 name; shift 2; for name; do judge vote "$to" "$name" "$how"; done; }
steward()  { play adjudicate --set "$1" --because "$2"; }

# What the rules do not allow (exit code 3), and what leaves a choice open (4).
refused()  { local code=0; "$@" 2>&1 || code=$?; [ "$code" = 3 ]; }
asked()    { local code=0; "$@" 2>&1 || code=$?; [ "$code" = 4 ]; }

mkdir -p "$game"
cd "$game"
cp -R "$here/month" .

### Phase 1, Friday 5 to Sunday 7 January: twenty people come together ###############################################

# `init` writes a loop of ten blank spaces. This game has a larger board, with something to land on.
"$referee" init --id month --started 2024-01-05
sed -e '/^# A loop of ten/d' -e '/^  [0-9]*: /d' -e '/^spaces:/{r month/board.yaml' -e 'd;}' \
  gamestate.yaml > larger.yaml
mv larger.yaml gamestate.yaml
"$referee" check

# Whoever joins in the first three days is reputable at once, and finds a Summoning Whistle and some garbage.
at 01-05 08:00; join Ada Bram Cleo Dario Edda Flora Gil Hana
at 01-05 18:00; walk Ada Bram Cleo Dario Edda Flora Gil Hana
at 01-06 09:00; join Ivo Juna Kofi Linnea Milo Nell Otis
at 01-06 18:00; walk Ivo Juna Kofi Linnea Milo Nell Otis
at 01-07 07:00; join Petra Quinn Rosa Sami Tilda

# Edda finds two dice slow. Her proposal brings its rules with it. Gil would rather have less of everything.
at 01-07 12:00
propose Edda "Five dice" --rules month/rules/five-dice --text "The dice of a movement roll are 5d4."
propose Gil "Quiet Fridays" --text "Nobody moves on a Friday."
at 01-07 18:00; walk Petra Quinn Rosa Sami Tilda

### Phase 2, Monday 8 to Thursday 11 January: the first votes ########################################################

tick 01-08
at 01-08 10:00
vote 1 --for Ada,Bram,Dario,Edda,Flora,Hana,Juna,Kofi,Milo,Petra,Sami,Tilda --against Cleo,Gil,Otis
vote 2 --for Gil,Otis --against Ada,Bram,Cleo,Edda,Flora,Juna,Linnea,Nell,Rosa
vote 2 Milo for against                                   # not clear, so it counts as against
at 01-09 18:00; walk Ada Bram Cleo Dario Edda Flora Gil Hana
at 01-10 18:00; walk Ivo Juna Kofi Linnea Milo Nell Otis

# Two more: a new item, with its file, and a matter of shoes.
at 01-11 12:00
propose Juna "Ducklings" --rules month/rules/duckling --text "Garbage has one more item, the Duckling."
propose Rosa "Lost shoes" --text "The Casino on space 23 becomes a museum of lost shoes."
walk Petra Quinn Rosa Sami Tilda

### Phase 3, Friday 12 to Sunday 14 January: five dice ###############################################################

# Proposal 1 has passed. Nobody has noticed yet that of five dice with four faces two always show the same, and that
# for doubles a mover is given a Time Bean Chili.
tick 01-12
at 01-12 08:03; whistle Hana Linnea
at 01-12 09:10; whistle Bram Ada Cleo Dario
at 01-12 09:18; whistle Edda Flora

# The reactions to the Ducklings come as an export from the chat. To many the shoes need a rewrite.
at 01-12 10:00
vote 3 --from month/reactions.csv
vote 4 --for Rosa,Dario,Nell,Ivo,Hana --rewrite Ada,Edda,Flora,Sami,Tilda --against Gil,Kofi

# Two want to be Judge.
judge candidacy Otis
judge candidacy Linnea
react Otis up Otis Ada Cleo Hana Milo Quinn Rosa
react Otis down Gil Nell
react Linnea up Dario Flora Linnea Sami
at 01-12 18:00; walk Ada Bram Cleo Dario Edda Flora Gil Hana

# Quinn has had enough of it, and what Quinn held is gone as well.
at 01-13 11:00; leave Quinn

# Odd jobs: Nell tinkers, Flora sells, Sami burns, and Milo breaks a crystal.
at 01-13 12:00
macgyver Nell "Summoning Whistle" Gorilla
trade Flora Sami --gives "Sick Burn" --takes "3 Shard"
trade Sami Flora --gives "3 Shard" --takes "Sick Burn"
use Sami "Sick Burn" --item "Actual Garbage"              # from now on nobody draws any
shatter Milo
at 01-13 18:00; walk Ivo Juna Kofi Linnea Milo Nell Otis
at 01-14 18:00; walk Petra Rosa Sami Tilda

### Phase 4, Monday 15 to Thursday 18 January: the wall, the ruling ##################################################

# Otis is Judge, the Ducklings are law, and the shoes are a Tune Up. Bram skids on the Oil Spill into the side track,
# which leads to a wall: the move waits, with its dice, until the board is mended. That is what urgency is for.
tick 01-15
at 01-15 08:00; refused move Bram
at 01-15 09:00
propose Bram "A way back" --class urgent --text "Space 43 leads on to space 35."
vote 5 --for Bram,Ada,Ivo,Hana --against Gil
refused join Quinn                                        # seven days must pass
at 01-15 18:00; walk Otis Petra Tilda

# Uma is late, and will be reputable in a week. Ada wants to know something, and Rosa has a better text.
at 01-16 10:00
join Uma
judge request Ada "Eating a Time Bean Chili uses up the move of the phase."
proposal edit 4 Rosa --text "The Casino on space 23 becomes a Dance Pad, and whose shoes get lost there gets them back."
proposal hold 4 Rosa

# 48 hours after its submission the urgent proposal takes effect, the steward draws the link, and Bram moves on.
tick 01-17 09:00
steward '/spaces/43/successors=[35]' "proposal 5 took effect"
resume Bram

# The Judge's ruling would keep chilis at bay. Flora, who has moved, cannot eat hers, and calls for a vote.
at 01-17 12:00
move Flora
judge rule Otis --request 1 --text "True." --set chili-counts-as-action=yes
refused use Flora "Time Bean Chili"
judge poll 1 Flora
react poll-1 overturn Flora Bram Juna Kofi Linnea Petra Rosa
react poll-1 affirm Otis Gil Hana

# Edda comes down on a Dance Pad: it is party time. With five fours, Linnea combos.
at 01-17 18:00
walk Ada Cleo Dario
move Edda -s start-party=yes
walk Gil Hana
at 01-18 18:00
walk Ivo Juna Kofi Linnea Milo Nell Rosa Sami Uma
combo Linnea -s number=4

### Phase 5, Friday 19 to Sunday 21 January: the party ###############################################################

# At noon the ruling falls, seven to three: a chili is a second move again.
tick 01-19
tick 01-19 13:00

# A day of unpacking. Juna draws a Duckling, which waddles after Linnea; Sami draws a Blood Pact, worth four crystals.
at 01-19 14:05; whistle Gil
at 01-19 16:48
whistle Juna
use Juna Duckling --player Linnea
use Bram Saxophone                                        # two crystals, in party time
use Edda "Actual Garage"
at 01-19 18:04
whistle Sami
use Sami "Blood Pact"
use Sami Saxophone
at 01-19 18:14
whistle Kofi
use Kofi "Demonic Tutor" --item "Rainbow Gun"
use Kofi "Rainbow Gun" -s type="Crystal Orb"
use Linnea "Mysterious Ontological Hole" --player Uma
use Ada "Garbage Rain"
proposal approve 4 Rosa                                   # to its Second Reading, which is proposal 6

# Gil makes the first die of a move made a minute ago show one more: everything since is played again.
at 01-20 12:00
walk Ada Bram Cleo Dario Edda Flora Gil
use Gil "Draught of Fudging" -s die=1 -s sign=+
walk Hana Ivo Juna Kofi
at 01-21 12:00; walk Linnea Milo Nell Otis Petra Rosa Sami Tilda Uma

### Phase 6, Monday 22 to Thursday 25 January: the Second Reading ####################################################

tick 01-22
at 01-22 18:00; walk Ada Bram Cleo Dario Edda Flora Gil

# Uma is reputable, and as a late joiner has chilis to catch up with.
tick 01-23 10:00
vote 6 --for Rosa,Dario,Nell,Ivo,Hana,Ada,Edda,Uma --against Gil,Kofi --rewrite Tilda
use Uma "Time Bean Chili"
at 01-23 18:00; walk Hana Ivo Juna Kofi Linnea Milo Nell
at 01-25 18:00; walk Otis Petra Rosa Sami Tilda Uma

### Phase 7, Friday 26 to Sunday 28 January: shoes come home #########################################################

tick 01-26
at 01-26 08:00; steward '/spaces/23/type="Dance Pad"' "proposal 6 took effect"
at 01-26 18:00; walk Ada Bram Cleo Dario Edda Flora Gil
at 01-27 18:00; walk Hana Ivo Juna Kofi Linnea Milo Nell
at 01-28 18:00; walk Otis Petra Rosa Sami Tilda Uma

### Phase 8, Monday 29 January to Thursday 1 February: all against Sami ##############################################

# Sami leads, with 13 crystals. Two beams are aimed at where Sami stands, and one sends Sami back to space 0.
tick 01-29
at 01-29 12:00
use Cleo "Last Prism" -s beam=35
use Linnea "Refractive Topaz" --space 35
at 01-29 18:00; walk Ada Bram Cleo
asked move Dario                                          # who stands on the Oil Spill, and may choose
resume Dario --path 40,41,42,43,35,36,37,38,39,0,1,2
walk Edda Flora Gil
at 01-30 18:00; walk Hana Ivo Juna Kofi Linnea Milo Nell

# Otis and Petra stand there too. They throw their dice in the chat, and give the whole way at once.
at 01-31 18:00
move Otis --roll 3,1,4,3,2 --path 30,31,32,33,34,35,36,37,38,39,0,1,2
move Petra --roll 4,4,2,1,1 --path 40,41,42,43,35,36,37,38,39,0,1,2
walk Rosa Sami Tilda Uma

### Phase 9, Friday 2 to Sunday 4 February: Bram does the sum ########################################################

# Five dice, four faces: every move brings a chili, and a chili is a move. Bram, having loaded a Bullet Bill, sits down
# to eat, and does not get up until there is a winner.
tick 02-02
at 02-02 18:00; walk Ada Cleo Dario Edda Flora Gil Hana
at 02-03 10:00; walk Ivo Juna Kofi Linnea Milo Nell Otis Petra
at 02-03 20:00
use Bram "Bullet Bill"
move Bram
until grep -q '^  winners:' gamestate.yaml; do use Bram "Time Bean Chili"; done
refused move Otis                                         # who had ruled that there is no such thing as a second move

"$referee" check
grep -A 1 '^  winners:' gamestate.yaml
echo "the game is in $game"
