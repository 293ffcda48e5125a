// Addresses that programs derive from seeds. A derived address must not lie on the ed25519 curve, so that no private
// key can sign for it; the last seed (the bump) is lowered from 255 until that holds.

import { hash } from "node:crypto";
import { LamplightError } from "@lamplight/errors";
import { isOnCurve } from "./is-on-curve.ts";

export interface ProgramAddress {
  readonly address: Uint8Array;
  /** 0 to 255. */
  readonly bump: number;
}

const marker = new TextEncoder().encode("ProgramDerivedAddress");
const SEED_BYTES_MAX = 32;
/** The bump counts as a seed. */
const SEEDS_MAX = 16;
const BUMP_MAX = 255;

/**
 * The address a program derives from these seeds, and its bump. About two curve checks of 8 µs each: fine for a
 * request, too slow for bulk work, where the bump is usually stored in some account (`deriveProgramAddress`).
 *
 * @throws LamplightError `CODEC__MALFORMED` for seeds no program may use, or when no bump gives an address
 */
export const findProgramAddress = (seeds: readonly Uint8Array[], program: Uint8Array): ProgramAddress => {
  const bumpSeed = Uint8Array.of(BUMP_MAX);
  const allSeeds = [...seeds, bumpSeed];
  for (let bump = BUMP_MAX; bump >= 0; bump -= 1) {
    bumpSeed[0] = bump;
    const address = deriveProgramAddress(allSeeds, program);
    if (!isOnCurve(address)) return { address, bump };
  }
  throw new LamplightError("CODEC__MALFORMED", {
    kind: "program address seeds",
    reason: "no bump gives an address",
  });
};

/**
 * The address of seeds whose last one is the known bump: a single sha256, without a curve check.
 *
 * @throws LamplightError `CODEC__MALFORMED` for seeds no program may use
 */
export const deriveProgramAddress = (seeds: readonly Uint8Array[], program: Uint8Array): Uint8Array =>
  new Uint8Array(hash("sha256", preimageOf(seeds, program), "buffer"));

/**
 * Whether a program can have derived this address from these seeds: two sha256 on average and at most 256, without a
 * curve check, so that it suits bulk work.
 *
 * Any bump counts. Only the program itself can create an account at an off-curve address of its seeds, and no one knows
 * the private key of an on-curve one.
 *
 * @throws LamplightError `CODEC__MALFORMED` for seeds no program may use
 */
export const isDerivedAddress = (
  address: Uint8Array,
  seeds: readonly Uint8Array[],
  program: Uint8Array,
): boolean => {
  const bumpSeed = Uint8Array.of(BUMP_MAX);
  const text = preimageOf([...seeds, bumpSeed], program);
  const bumpAt = text.length - marker.length - program.length - 1;
  for (let bump = BUMP_MAX; bump >= 0; bump -= 1) {
    text[bumpAt] = bump;
    if (hasBytes(hash("sha256", text, "binary"), address)) return true;
  }
  return false;
};

/** A hash as a string costs half of a hash in a buffer of its own. */
const hasBytes = (digest: string, bytes: Uint8Array): boolean => {
  for (let at = 0; at < digest.length; at += 1) if (digest.charCodeAt(at) !== bytes[at]) return false;
  return true;
};

/** The bytes that are hashed into an address: good until the next call. */
const preimageOf = (seeds: readonly Uint8Array[], program: Uint8Array): Uint8Array => {
  if (seeds.length > SEEDS_MAX) throw refused(`${seeds.length} seeds, at most ${SEEDS_MAX}`);
  let length = 0;
  for (const seed of seeds) {
    if (seed.length > SEED_BYTES_MAX)
      throw refused(`a seed of ${seed.length} bytes, at most ${SEED_BYTES_MAX}`);
    preimage.set(seed, length);
    length += seed.length;
  }
  preimage.set(program, length);
  preimage.set(marker, length + program.length);
  return preimage.subarray(0, length + program.length + marker.length);
};

/** Written by every call: a buffer for each would cost as much as a hash. */
const preimage = new Uint8Array(SEEDS_MAX * SEED_BYTES_MAX + 32 + marker.length);

const refused = (reason: string): LamplightError =>
  new LamplightError("CODEC__MALFORMED", { kind: "program address seeds", reason });
