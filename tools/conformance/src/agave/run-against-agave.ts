import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAccountFiles } from "@lamplight/devchain";
import { startValidator } from "@lamplight/real-chain";
import { startServer } from "@lamplight/server";
import { Lab } from "../lab.ts";
import { type AgaveVersion, readVersion } from "./agave-version.ts";
import { compareAnswers, type Comparison } from "./compare-answers.ts";
import { httpEndpoint } from "./endpoints.ts";
import { readGenesisAccounts } from "./genesis-accounts.ts";
import { makeFixtures } from "./fixtures/make-fixtures.ts";
import { makeRequests } from "./requests/make-requests.ts";

const key = "conformance";

export interface AgaveRun {
  /** Path of `solana-test-validator`. */
  readonly validator: string;
  readonly seed: number;
  /** Begin the chain with Alpenglow. Validators before 4.2 cannot. */
  readonly alpenglow?: boolean;
  /** Part of the requests, by topic; default: all. */
  readonly topics?: readonly string[];
  readonly onProgress?: (asked: number, total: number) => void;
}

/** A comparison, and with which validator. */
export interface AgaveComparison extends Comparison {
  readonly version: AgaveVersion;
}

/** Starts a validator and this project's server over the same accounts, and compares what they answer. */
export const runAgainstAgave = async (run: AgaveRun): Promise<AgaveComparison> => {
  const fixtures = makeFixtures(run.seed);
  const requests = makeRequests(run.seed, fixtures).filter(
    ({ topic }) => run.topics === undefined || run.topics.includes(topic),
  );
  const folder = mkdtempSync(join(tmpdir(), "lamplight-agave-"));
  const lab = await Lab.open(null);
  try {
    writeAccountFiles(folder, fixtures.all);
    await lab.indexAccounts(fixtures.all);
    const validator = await startValidator({
      path: run.validator,
      accountFolder: folder,
      arguments: run.alpenglow === true ? ["--alpenglow"] : [],
    });
    try {
      const theirs = httpEndpoint("agave", validator.url);
      const version = await readVersion(theirs);
      await lab.indexAccounts(await readGenesisAccounts(theirs));
      // Answers of several commitments are compared in turn: the clock goes back, too.
      let clockSlot = 1;
      const server = await startServer({ viewSource: await lab.viewSource(), keys: [key], port: 0 });
      try {
        const comparison = await compareAnswers(requests, {
          ours: httpEndpoint("lamplight", `${server.url}/v3/${key}`),
          theirs,
          line: version,
          setClock: (clock) => lab.indexAccounts([{ ...clock, slot: (clockSlot += 1) }]),
          ...(run.onProgress === undefined ? {} : { onProgress: run.onProgress }),
        });
        return { ...comparison, version };
      } finally {
        await server.stop();
      }
    } finally {
      await validator.stop();
    }
  } finally {
    await lab.close();
    rmSync(folder, { recursive: true });
  }
};
