#!/usr/bin/env python3
"""Checks every die of a game with sealed or beacon dice, without the referee (docs/dice.md).

    referee show log --format json | python3 docs/verify_dice.py [SECRET-OR-FILE]
    python3 docs/verify_dice.py --vectors FILE

Needs nothing but Python, and for the signatures of a beacon the pairing library py_ecc (pip install py_ecc).
--no-signatures checks the dice of a beacon and takes the signatures on trust. Exits with 1 if anything is wrong.
"""
import hashlib, hmac, json, os, re, sys

SCHEME_1 = b"referee dice 1"
SCHEME_2 = b"referee dice 2"
DISCORD = re.compile(r"https?://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/channels/(?:[1-9][0-9]*|@me)/[1-9][0-9]*/([1-9][0-9]*)(?:[/?#].*)?", re.I)
QUICKNET = {
    "public-key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "genesis": 1692803367,
    "period": 3,
    "scheme": "bls-unchained-g1-rfc9380",
}
QUICKNET_HASH = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
# The tag under which a scheme hashes to the curve, and the bytes of a signature.
TAGS = {
    "pedersen-bls-unchained": (b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_", 96),
    "bls-unchained-on-g1": (b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_", 48),
    "bls-unchained-g1-rfc9380": (b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_", 48),
}


class Refused(Exception):
    """What is given for a draw cannot be used; the text is the referee's code for it."""


def hkdf_words(salt, material, info):
    """RFC 5869: extracts, then expands; yields the stream as numbers of eight bytes."""
    key = hmac.new(salt, material, hashlib.sha256).digest()
    block = b""
    for counter in range(1, 256):
        block = hmac.new(key, block + info + bytes([counter]), hashlib.sha256).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(block[at:at + 8], "big")


def place(salt, material, info, of):
    """The place from 1 to `of`: a word that would favour the first places is passed over."""
    limit = 2**64 - 2**64 % of
    for word in hkdf_words(salt, material, info):
        if word < limit:
            break
    return word % of + 1


def prefixed(parts):
    """Joins parts, each with its length before it."""
    parts = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def draw_1(secret, state, action, link, key, index, of):
    """A draw of scheme 1."""
    return place(state.encode(), secret.encode(), prefixed([SCHEME_1, action, link, key, index]), of)


def chain_of(chain):
    """The facts of a chain and the hash that draws bind."""
    if chain == "quicknet":
        return QUICKNET, QUICKNET_HASH
    if not isinstance(chain, dict) or chain["scheme"] not in TAGS:
        raise Refused("bad-chain")
    if chain == QUICKNET:
        return QUICKNET, QUICKNET_HASH
    if chain["public-key"] == QUICKNET["public-key"]:
        raise Refused("borrowed-key")
    facts = ["referee chain 2", chain["scheme"], bytes.fromhex(chain["public-key"]), chain["genesis"], chain["period"]]
    return chain, hashlib.sha256(prefixed(facts)).hexdigest()


def round_for(chain, post, delay):
    """The first round that comes `delay` seconds after `post` (milliseconds since 1970) or later."""
    if delay < 2 * chain["period"]:
        raise Refused("short-delay")
    since = post + (delay - chain["genesis"]) * 1000
    return 1 + max(0, -(-since // (chain["period"] * 1000)))


VERIFIED = {}


def confirms(chain, number, signature):
    """Whether the chain's key confirms the signature of a round: two pairings are equal."""
    known = (chain["scheme"], chain["public-key"], number, signature)
    if known not in VERIFIED:
        VERIFIED[known] = pairings_agree(*known)
    return VERIFIED[known]


def pairings_agree(scheme, public_key, number, signature):
    from py_ecc.bls.g2_primitives import pubkey_to_G1, signature_to_G2, subgroup_check
    from py_ecc.bls.hash_to_curve import hash_to_G1, hash_to_G2
    from py_ecc.optimized_bls12_381 import FQ12, G1, G2, final_exponentiate, is_inf, neg, pairing

    tag, _ = TAGS[scheme]
    message = hashlib.sha256(number.to_bytes(8, "big")).digest()
    try:
        if scheme == "pedersen-bls-unchained":
            key, signed = pubkey_to_G1(bytes.fromhex(public_key)), signature_to_G2(bytes.fromhex(signature))
            left, right = (signed, neg(G1)), (hash_to_G2(message, tag, hashlib.sha256), key)
        else:
            key, signed = signature_to_G2(bytes.fromhex(public_key)), pubkey_to_G1(bytes.fromhex(signature))
            left, right = (G2, neg(signed)), (key, hash_to_G1(message, tag, hashlib.sha256))
    except ValueError:
        return False
    if any(is_inf(point) or not subgroup_check(point) for point in (key, signed)):
        return False
    product = pairing(*left, final_exponentiate=False) * pairing(*right, final_exponentiate=False)
    return final_exponentiate(product) == FQ12.one()


def sealed(draw):
    """The key material and the last parts of the form of a sealed draw."""
    words = sorted((draw.get("words") or {}).items(), key=lambda pair: pair[0].encode())
    for _, word in words:
        if not re.fullmatch("[a-z0-9-]{1,64}", word):
            raise Refused("bad-word")
    return draw["secret"].strip().encode(), [part for pair in words for part in pair]


def beacon(draw, signatures):
    """The key material and the last parts of the form of a beacon draw, once its round is verified."""
    chain, chain_hash = chain_of(draw["chain"])
    number, signature = draw["round"], draw["signature"]
    if number == 0:
        raise Refused("round-zero")
    if not re.fullmatch("(?:[0-9a-f]{96}|[0-9a-f]{192})", signature):
        raise Refused("bad-beacon")
    post = draw.get("post")
    if draw.get("link"):
        found = DISCORD.fullmatch(draw["link"])
        if not found:
            raise Refused("bad-link")
        post = (int(found[1]) >> 22) + 1420070400000
    if number != round_for(chain, post, draw["delay"]):
        raise Refused("another-round")
    if len(signature) != 2 * TAGS[chain["scheme"]][1]:
        raise Refused("wrong-signature")
    if signatures and not confirms(chain, number, signature):
        raise Refused("wrong-signature")
    return hashlib.sha256(bytes.fromhex(signature)).digest(), [chain_hash, number]


def draw_2(draw, signatures):
    """A draw of scheme 2: its place."""
    material, rest = sealed(draw) if draw["by"] == "sealed" else beacon(draw, signatures)
    identity = [draw[name] for name in ("game", "phase", "player", "kind", "nth", "key", "index")]
    return place(b"", material, prefixed([SCHEME_2, draw["by"], *identity, *rest]), draw["of"])


def check_draws(document, secret, signatures):
    """Checks the draws of scheme 2; returns how many there are, and how many are wrong."""
    checked = wrong = 0
    for number, draw in enumerate(document.get("draws") or [], 1):
        draw = {**({"secret": secret} if secret else {}), **(document.get("all") or {}), **draw}
        if draw.get("refused") == "wrong-signature" and not signatures:
            continue
        try:
            found = draw_2(draw, signatures)
        except Refused as refused:
            found = str(refused)
        should = draw["refused"] if "refused" in draw else draw["place"]
        checked += 1
        if found != should:
            wrong += 1
            print(f"draw {number} ({draw['by']}, {draw['key']} {draw['index']}): {should} is given, and it is {found}")
    return checked, wrong


def check_log(log, secret):
    """Checks the draws of scheme 1; returns how many there are, and how many are wrong."""
    checked = wrong = 0
    for entry in log or []:
        seal = entry.get("sealed") or {}
        for key, draws in (seal.get("drawn") or {}).items():
            for index, (shown, of) in enumerate(draws):
                should = draw_1(secret, seal["state"], entry["do"], entry.get("link", ""), key, index, of)
                checked += 1
                if shown != should:
                    wrong += 1
                    print(f"entry {entry['id']}: draw {index + 1} of {key} is {shown}, and the secret gives {should} of {of}")
    return checked, wrong


def main():
    rest = sys.argv[1:]
    signatures = "--no-signatures" not in rest
    rest = [word for word in rest if word != "--no-signatures"]
    secret = None
    if rest[:1] == ["--vectors"]:
        with open(rest[1], encoding="utf-8") as file:
            document = json.load(file)
    else:
        document = json.load(sys.stdin)
        if rest:
            secret = rest[0]
            if os.path.exists(secret):
                secret = open(secret, encoding="utf-8").read()
            secret = secret.strip()
            print("hash of the secret:", hashlib.sha256(secret.encode()).hexdigest())
    first = check_log(document.get("log"), secret) if secret else (0, 0)
    try:
        second = check_draws(document, secret, signatures)
    except ImportError:
        print("the signatures of a beacon need py_ecc (pip install py_ecc); --no-signatures takes them on trust")
        return 2
    checked, wrong = first[0] + second[0], first[1] + second[1]
    if VERIFIED:
        print(f"{len(VERIFIED)} signatures verified")
    print(f"{checked} draws checked, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
