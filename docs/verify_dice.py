#!/usr/bin/env python3
"""Checks every die of a game with sealed dice, without the referee (docs/dice.md).

    referee show log --format json | python3 docs/verify_dice.py SECRET-OR-FILE

Needs nothing but Python. Exits with 1 if any draw is not the one that the secret gives.
"""
import hashlib, hmac, json, os, sys

SCHEME = b"referee dice 1"


def hkdf_sha256(salt, secret, info, length):
    """RFC 5869: extract, then expand."""
    key = hmac.new(salt, secret, hashlib.sha256).digest()
    block, out, counter = b"", b"", 1
    while len(out) < length:
        block = hmac.new(key, block + info + bytes([counter]), hashlib.sha256).digest()
        out, counter = out + block, counter + 1
    return out[:length]


def draw(secret, state, action, link, key, index, of):
    """The place from 1 to `of` that the secret gives to a draw."""
    parts = [SCHEME] + [part.encode() for part in (action, link, key, str(index))]
    info = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    stream = hkdf_sha256(state.encode(), secret.encode(), info, 255 * 32)
    spare = 2**64 % of
    for at in range(0, len(stream), 8):
        word = int.from_bytes(stream[at:at + 8], "big")
        if word < 2**64 - spare:
            return word % of + 1
    return word % of + 1


def main():
    secret = sys.argv[1]
    if os.path.exists(secret):
        secret = open(secret).read()
    secret = secret.strip()
    print("hash of the secret:", hashlib.sha256(secret.encode()).hexdigest())
    wrong = checked = 0
    for entry in json.load(sys.stdin)["log"] or []:
        sealed = entry.get("sealed") or {}
        for key, draws in (sealed.get("drawn") or {}).items():
            for index, (place, of) in enumerate(draws):
                should = draw(secret, sealed["state"], entry["do"], entry.get("link", ""), key, index, of)
                checked += 1
                if place != should:
                    wrong += 1
                    print(f"entry {entry['id']}: draw {index + 1} of {key} is {place}, and the secret gives {should} of {of}")
    print(f"{checked} draws checked, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
