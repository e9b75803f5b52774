#!/usr/bin/env node
// Checks every die of a game with sealed or beacon dice, without the referee (docs/dice.md, scheme 2).
//
//     referee show log --format json | node docs/verify_dice.mjs [SECRET-OR-FILE]
//     node docs/verify_dice.mjs --vectors FILE
//
// Needs nothing but Node, and for the signatures of a beacon the pairing library @noble/curves (npm install @noble/curves,
// in the folder where this is run or beside this file). --no-signatures checks the dice of a beacon and takes the
// signatures on trust. Exits with 1 if anything is wrong.

import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SCHEME_1 = "referee dice 1";
const SCHEME_2 = "referee dice 2";
const QUICKNET = {
  "public-key":
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesis: 1692803367,
  period: 3,
  scheme: "bls-unchained-g1-rfc9380",
};
const QUICKNET_HASH = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
// The tag under which a scheme hashes to the curve, and the bytes of a signature.
const SCHEMES = {
  "pedersen-bls-unchained": { tag: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_", bytes: 96 },
  "bls-unchained-on-g1": { tag: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_", bytes: 48 },
  "bls-unchained-g1-rfc9380": { tag: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_", bytes: 48 },
};
const DISCORD =
  /^https?:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/channels\/(?:[1-9][0-9]*|@me)\/[1-9][0-9]*\/([1-9][0-9]*)(?:[/?#].*)?$/i;

/** What is given for a draw cannot be used; `code` is the referee's word for it. */
class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hmac = (key, ...parts) => parts.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest();

/** RFC 5869, block by block; node's own hkdf takes no info above 1024 bytes. Yields numbers of eight bytes. */
function* words(salt, material, info) {
  const key = hmac(salt, material);
  let block = Buffer.alloc(0);
  for (let counter = 1; counter < 256; counter++) {
    block = hmac(key, block, info, Buffer.of(counter));
    for (let at = 0; at < 32; at += 8) yield block.readBigUInt64BE(at);
  }
}

/** Returns the place from 1 to `of`: a word that would favour the first places is passed over. */
function place(salt, material, info, of) {
  const many = BigInt(of);
  const limit = (1n << 64n) - ((1n << 64n) % many);
  let last = 0n;
  for (const word of words(salt, material, info)) {
    last = word;
    if (word < limit) break;
  }
  return Number((last % many) + 1n);
}

/** Joins parts, each with its length before it. */
function prefixed(parts) {
  const bytes = parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(String(part), "utf8")));
  return Buffer.concat(
    bytes.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}

/** Returns the facts of a chain and the hash that draws bind. */
function chainOf(chain) {
  if (chain === "quicknet") return [QUICKNET, QUICKNET_HASH];
  if (typeof chain !== "object" || !Object.hasOwn(SCHEMES, chain?.scheme)) throw new Refused("bad-chain");
  if (chain["public-key"] === QUICKNET["public-key"]) {
    const same = Object.keys(QUICKNET).every((fact) => chain[fact] === QUICKNET[fact]);
    if (!same) throw new Refused("borrowed-key");
    return [QUICKNET, QUICKNET_HASH];
  }
  const key = Buffer.from(chain["public-key"], "hex");
  return [chain, sha256(prefixed(["referee chain 2", chain.scheme, key, chain.genesis, chain.period])).toString("hex")];
}

/** Returns the first round that comes `delay` seconds after `post` (milliseconds since 1970) or later. */
function roundFor(chain, post, delay) {
  if (delay < 2 * chain.period) throw new Refused("short-delay");
  const since = BigInt(post) + (BigInt(delay) - BigInt(chain.genesis)) * 1000n;
  const period = BigInt(chain.period) * 1000n;
  return since <= 0n ? 1n : 1n + (since + period - 1n) / period;
}

/** Loads the pairing library from beside this file, or from the folder where this is run. */
async function pairingLibrary() {
  const name = "@noble/curves/bls12-381.js";
  const places = [import.meta.url, pathToFileURL(join(process.cwd(), "package.json"))];
  for (const from of places) {
    let path;
    try {
      path = createRequire(from).resolve(name);
    } catch {
      continue;
    }
    return (await import(pathToFileURL(path))).bls12_381;
  }
  console.log("the signatures of a beacon need @noble/curves (npm install @noble/curves); --no-signatures takes them on trust");
  process.exit(2);
}

let curve;
const verified = new Map();

/** Returns whether the chain's key confirms the signature of a round: two pairings are equal. */
async function confirms(chain, round, signature) {
  const known = [chain.scheme, chain["public-key"], round, signature].join(" ");
  if (!verified.has(known)) {
    curve ??= await pairingLibrary();
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(BigInt(round));
    verified.set(known, agrees(chain, sha256(number), signature));
  }
  return verified.get(known);
}

function agrees({ scheme, "public-key": key }, message, signature) {
  const long = scheme === "pedersen-bls-unchained";
  const [signed, keyed] = long ? [curve.G2, curve.G1] : [curve.G1, curve.G2];
  try {
    const points = [signed.Point.fromHex(signature), keyed.Point.fromHex(key)];
    for (const point of points) {
      point.assertValidity();
      if (point.is0() || !point.isTorsionFree()) return false;
    }
    const hashed = signed.hashToCurve(message, { DST: SCHEMES[scheme].tag });
    const way = long ? curve.longSignatures : curve.shortSignatures;
    return way.verify(points[0], hashed, points[1]);
  } catch {
    return false;
  }
}

/** Returns the key material and the last parts of the form of a sealed draw. */
function sealed(draw) {
  const added = Object.entries(draw.words ?? {});
  added.sort(([one], [other]) => Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8")));
  if (added.some(([, word]) => !/^[a-z0-9-]{1,64}$/.test(word))) throw new Refused("bad-word");
  return [Buffer.from(draw.secret.trim(), "utf8"), added.flat()];
}

/** Returns the key material and the last parts of the form of a beacon draw, once its round is verified. */
async function beacon(draw, signatures) {
  const [chain, hash] = chainOf(draw.chain);
  if (draw.round === 0) throw new Refused("round-zero");
  if (!/^(?:[0-9a-f]{96}|[0-9a-f]{192})$/.test(draw.signature)) throw new Refused("bad-beacon");
  let post = draw.post;
  if (draw.link) {
    const found = DISCORD.exec(draw.link);
    if (!found) throw new Refused("bad-link");
    post = (BigInt(found[1]) >> 22n) + 1420070400000n;
  }
  if (BigInt(draw.round) !== roundFor(chain, post, draw.delay)) throw new Refused("another-round");
  if (draw.signature.length !== 2 * SCHEMES[chain.scheme].bytes) throw new Refused("wrong-signature");
  if (signatures && !(await confirms(chain, draw.round, draw.signature))) throw new Refused("wrong-signature");
  return [sha256(Buffer.from(draw.signature, "hex")), [hash, draw.round]];
}

/** Returns the place of a draw of scheme 2. */
async function draw2(draw, signatures) {
  const [material, rest] = draw.by === "sealed" ? sealed(draw) : await beacon(draw, signatures);
  const identity = ["game", "phase", "player", "kind", "nth", "key", "index"].map((name) => draw[name]);
  return place("", material, prefixed([SCHEME_2, draw.by, ...identity, ...rest]), draw.of);
}

/** Checks the draws of scheme 2; returns how many there are, and how many are wrong. */
async function checkDraws(document, secret, signatures) {
  let [checked, wrong] = [0, 0];
  for (const [at, own] of (document.draws ?? []).entries()) {
    const draw = { ...(secret ? { secret } : {}), ...document.all, ...own };
    if (draw.refused === "wrong-signature" && !signatures) continue;
    const should = draw.refused ?? draw.place;
    let found;
    try {
      found = await draw2(draw, signatures);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      found = error.code;
    }
    checked += 1;
    if (found !== should) {
      wrong += 1;
      console.log(`draw ${at + 1} (${draw.by}, ${draw.key} ${draw.index}): ${should} is given, and it is ${found}`);
    }
  }
  return [checked, wrong];
}

/** Checks the draws of scheme 1; returns how many there are, and how many are wrong. */
function checkLog(log, secret) {
  let [checked, wrong] = [0, 0];
  for (const entry of log ?? []) {
    for (const [key, draws] of Object.entries(entry.sealed?.drawn ?? {})) {
      for (const [index, [shown, of]] of draws.entries()) {
        const info = prefixed([SCHEME_1, entry.do, entry.link ?? "", key, index]);
        const should = place(entry.sealed.state, secret, info, of);
        checked += 1;
        if (shown !== should) {
          wrong += 1;
          console.log(`entry ${entry.id}: draw ${index + 1} of ${key} is ${shown}, and the secret gives ${should} of ${of}`);
        }
      }
    }
  }
  return [checked, wrong];
}

const rest = process.argv.slice(2).filter((word) => word !== "--no-signatures");
const signatures = !process.argv.includes("--no-signatures");
const vectors = rest[0] === "--vectors";
let secret = vectors ? undefined : rest[0];
const document = JSON.parse(readFileSync(vectors ? rest[1] : 0, "utf8"));
if (secret !== undefined) {
  secret = (existsSync(secret) ? readFileSync(secret, "utf8") : secret).trim();
  console.log(`hash of the secret: ${sha256(secret).toString("hex")}`);
}
const first = secret ? checkLog(document.log, secret) : [0, 0];
const second = await checkDraws(document, secret, signatures);
if (verified.size > 0) console.log(`${verified.size} signatures verified`);
const [checked, wrong] = [first[0] + second[0], first[1] + second[1]];
console.log(`${checked} draws checked, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
