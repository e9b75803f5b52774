#!/usr/bin/env bash
# Ten actions whose dice come from public rounds of the drand beacon: nothing is thrown, and nothing is fetched.
#
#   REFEREE=target/debug/referee examples/beacon.sh [FOLDER]
#
# The rounds are in beacon/beacons.jsonl, as the beacon's public interface gave them. Every link carries the time of its
# post, and with it the round; the message numbers are made up for the times of the rounds. Each run ends with the same
# file, which is beacon.yaml.
source "$(dirname "${BASH_SOURCE[0]}")/play.sh"

# The link of a post that takes a round of quicknet: 30 s before it, and the message's number within that moment.
link() { printf 'https://discord.com/channels/1/2/%d' $(( (((1692803367 + ($1 - 1) * 3 - 30) * 1000 - 1420070400000) << 22) | $2 )); }

# A player moves with a post that takes a round.
move() { "$referee" --quiet --no-input move "$1" --decline --link "$(link "$2" "$3")"; }

mkdir -p "$game"
cd "$game"
"$referee" --quiet init --id beacon --started 2023-08-18 --players Ann,Bob,Cleo,Dora --dice beacon --since 2023-08-18
# They have been reputable for a while, so no item is drawn for them when the first phase ends (P-6).
sed 's/, location: 0}/, reputable-since: 2023-08-18T00:00:00Z, location: 0}/' gamestate.yaml > reputable.yaml
mv reputable.yaml gamestate.yaml
cp "$here/beacon/beacons.jsonl" .

"$referee" --quiet tick-phase --to 2023-08-21
move Ann 1000 1
move Bob 1001 1
move Cleo 1003 1
# Dora's post is entered before its round is there: the action waits, and the file says for which round.
mv beacons.jsonl later.jsonl
waits=0
move Dora 2000 1 2> /dev/null || waits=$?
test "$waits" = 4
grep -q 'round: 2000' gamestate.yaml
mv later.jsonl beacons.jsonl
"$referee" --quiet --no-input resume Dora

"$referee" --quiet tick-phase --to 2023-08-25
# Four posts in one round are performed in the order of their numbers.
place=1
for name in Bob Dora Ann Cleo; do
  move "$name" 64530 $place
  place=$((place + 1))
done

for day in 08-28 09-01 09-04 09-08 09-11 09-15; do "$referee" --quiet tick-phase --to "2023-$day"; done
move Cleo 657413 1
move Ann 657413 2

"$referee" verify
