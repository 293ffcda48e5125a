// The real programs of compressed assets, where a folder has them. They take the proofs that the index of their transactions answers.

import { Random } from "@lamplight/devchain";
import { address } from "@solana/kit";
import { describe, expect, test } from "vitest";
import { IndexedBank } from "../../test/indexed-bank.ts";
import { proofReader } from "../../test/proof-reader.ts";
import { LiteBank } from "../bank/lite-bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import { findPrograms, metaplexPrograms } from "../metaplex/metaplex-programs.ts";
import { createCast } from "./proof-cast.ts";
import { ProofTrial, type Verdicts } from "./proof-trial.ts";
import type { TreeForm } from "./tree-form.ts";

const SEED = Number(process.env["LAMPLIGHT_SEED"] ?? 20_262);
const STEPS = Number(process.env["LAMPLIGHT_PROOF_STEPS"] ?? 220);
const STREAM_OF_PROOFS = 0x74;
/** Bubblegum refuses trees in which a transaction would carry more than 17 nodes. */
const forms: { readonly [name: string]: readonly TreeForm[] } = {
  "small trees": [
    { version: 1, depth: 3, bufferSize: 8, canopyDepth: 0 },
    { version: 1, depth: 5, bufferSize: 8, canopyDepth: 2 },
    { version: 2, depth: 3, bufferSize: 8, canopyDepth: 3 },
    { version: 2, depth: 6, bufferSize: 16, canopyDepth: 0 },
  ],
  "large trees": [
    { version: 1, depth: 14, bufferSize: 64, canopyDepth: 0 },
    { version: 1, depth: 24, bufferSize: 64, canopyDepth: 10 },
    { version: 2, depth: 14, bufferSize: 64, canopyDepth: 11 },
    { version: 2, depth: 20, bufferSize: 256, canopyDepth: 4 },
  ],
};

const programs = findPrograms();
const isMissing = programs.length < Object.keys(metaplexPrograms).length;
if (isMissing)
  console.warn("SKIPPED proofs and the real programs: LAMPLIGHT_PROGRAMS names no folder that has them all");

const tryProofs = async (trees: readonly TreeForm[]): Promise<Verdicts> => {
  const random = new Random(SEED, STREAM_OF_PROOFS, 0);
  const bank = new LiteBank(await seededSigner(random));
  for (const program of programs) bank.svm.addProgramFromFile(address(program.address), program.file);
  const chain = new IndexedBank(bank);
  await chain.open();
  try {
    const trial = new ProofTrial(await createCast(chain, random), proofReader(chain));
    await trial.run(trees, STEPS);
    return trial.verdicts;
  } finally {
    await chain.close();
  }
};

describe.skipIf(isMissing)("the real programs accept right proofs only", () => {
  test.each(Object.entries(forms))(`of %s, seed ${SEED}`, async (_, trees) => {
    const { forgotten, ...verdicts } = await tryProofs(trees);
    console.log(JSON.stringify({ ...verdicts, forgotten }));
    for (const [verdict, count] of Object.entries(verdicts)) expect(count, verdict).toBeGreaterThan(0);
  });
});
