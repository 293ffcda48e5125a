import { encodeAddress } from "@lamplight/codecs";
import type { Wire } from "./lite-svm.ts";

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;
const UNITS_MAX = 1_400_000n;
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_PER_BUILTIN = 3_000n;
const computeBudget = "ComputeBudget111111111111111111111111111111";

/** Programs without a budget of their own. */
const builtins = new Set([
  computeBudget,
  "11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
]);

/** Programs that check further signatures. The first byte of their data is the number. */
const signatureCheckers = new Set([
  "Ed25519SigVerify111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
]);

/** Lamports that a transaction pays: for each signature, and for its compute units at the price that it sets. */
export const feeOf = ({ signatures, staticKeys, instructions }: Wire): bigint => {
  let checked = BigInt(signatures.length);
  let defaultUnits = 0n;
  let units: bigint | null = null;
  let price = 0n;
  for (const { programIndex, data } of instructions) {
    const program = encodeAddress(staticKeys[programIndex]!);
    if (signatureCheckers.has(program)) checked += BigInt(data[0] ?? 0);
    defaultUnits += builtins.has(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
    if (program !== computeBudget) continue;
    const bytes = Buffer.from(data);
    if (data[0] === SET_COMPUTE_UNIT_LIMIT && data.length >= 5) units = BigInt(bytes.readUInt32LE(1));
    if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  const limit = units ?? defaultUnits;
  const budget = limit < UNITS_MAX ? limit : UNITS_MAX;
  const priority = (price * budget + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return checked * LAMPORTS_PER_SIGNATURE + priority;
};

const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
