import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAccountFiles } from "@lamplight/devchain";
import { startValidator } from "@lamplight/real-chain";
import { startServer } from "@lamplight/server";
import { Lab } from "../lab.ts";
import { compareAnswers, type Comparison } from "./compare-answers.ts";
import { httpEndpoint } from "./endpoints.ts";
import { readGenesisAccounts } from "./genesis-accounts.ts";
import { makeFixtures } from "./fixtures/make-fixtures.ts";
import { makeRequests } from "./requests/make-requests.ts";

const KEY = "conformance";

export interface AgaveRun {
  /** Of `solana-test-validator`. */
  readonly validator: string;
  readonly seed: number;
  /** Part of the requests, by topic; default: all. */
  readonly topics?: readonly string[];
  readonly onProgress?: (asked: number, total: number) => void;
}

/** Starts a validator and this project's server over the same accounts, and compares what they answer. */
export const runAgainstAgave = async (run: AgaveRun): Promise<Comparison> => {
  const fixtures = makeFixtures(run.seed);
  const requests = makeRequests(run.seed, fixtures).filter(
    ({ topic }) => run.topics === undefined || run.topics.includes(topic),
  );
  const folder = mkdtempSync(join(tmpdir(), "lamplight-agave-"));
  const lab = await Lab.open(null);
  try {
    writeAccountFiles(folder, fixtures.all);
    await lab.indexAccounts(fixtures.all);
    const validator = await startValidator({ path: run.validator, accountFolder: folder });
    try {
      const theirs = httpEndpoint("agave", validator.url);
      await lab.indexAccounts(await readGenesisAccounts(theirs));
      // Answers of several commitments are compared in turn: the clock goes back, too.
      let clockSlot = 1;
      const server = await startServer({ viewSource: await lab.viewSource(), keys: [KEY], port: 0 });
      try {
        return await compareAnswers(requests, {
          ours: httpEndpoint("lamplight", `${server.url}/v3/${KEY}`),
          theirs,
          setClock: (clock) => lab.indexAccounts([{ ...clock, slot: (clockSlot += 1) }]),
          ...(run.onProgress === undefined ? {} : { onProgress: run.onProgress }),
        });
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
