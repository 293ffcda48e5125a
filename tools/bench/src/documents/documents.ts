// Off-chain documents of ten hosts, one of them slow, fetched in parallel with a process that commits.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type IndexStore, offchainRow } from "@lamplight/core";
import { startPostgres } from "@lamplight/postgres-test";
import { openDocuments, openStoreForWriting } from "@lamplight/runtime";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { type Bench, type Figure, median } from "../bench.ts";
import { AT_ONCE, hostOf, HOSTS, RATE, slowHost, SLOW_MS } from "./hosts.ts";

const uris = Number(process.env["LAMPLIGHT_BENCH_URIS"] ?? 1_000_000);
const seconds = Number(process.env["LAMPLIGHT_BENCH_SECONDS"] ?? 30);
const WARM_UP_SECONDS = 5;
const ROWS_PER_WRITE = 5000;
const ACCOUNTS_PER_COMMIT = 200;
const COMMITS_ALONE = 100;
const COMMIT_PAUSE_MS = 40;

export const documentsBench: Bench = {
  name: "documents",
  about: `${uris} URIs over ${HOSTS} hosts of ${RATE} requests a second, one slow, for ${seconds} s`,
  async run(say): Promise<readonly Figure[]> {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-documents-"));
    try {
      const sqlite = await measure("SQLite", `sqlite:${join(folder, "store.db")}`, say);
      const postgres = await startPostgres();
      try {
        return [...sqlite, ...(await measure("PostgreSQL", `${postgres.url}?schema=documents`, say))];
      } finally {
        await postgres.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const measure = async (
  engine: string,
  url: string,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const store = await openStoreForWriting(url, { create: true, follows: true });
  const server = forkHere(new URL("./document-server.ts", import.meta.url), []);
  try {
    const port = Number((await answerOf(server))["port"]);
    say(`${engine}: ${uris} URIs`);
    await addUris(url, port);
    const committer = new Committer(store);
    const alone = median(await committer.commits(COMMITS_ALONE));
    const fetching = forkHere(new URL("./fetch-process.ts", import.meta.url), [url, String(port)]);
    const { beforeMb = 0 } = await answerOf(fetching);
    await sleep(WARM_UP_SECONDS * 1000);
    say(`${engine}: fetching`);
    const [before, startedMs] = [await countsOf(server), performance.now()];
    const parallel: number[] = [];
    while (performance.now() - startedMs < seconds * 1000) parallel.push(...(await committer.commits(10)));
    const elapsed = (performance.now() - startedMs) / 1000;
    const after = await countsOf(server);
    const rateOf = (host: string): number => ((after[host] ?? 0) - (before[host] ?? 0)) / elapsed;
    const ended = answerOf(fetching);
    fetching.send("stop");
    const { mostMb = 0, failed = 0, fetched = 0, cpuMs = 0 } = await ended;
    const quick = Array.from({ length: HOSTS - 1 }, (_, index) => rateOf(hostOf(index)));
    const sum = quick.reduce((total, rate) => total + rate, 0);
    const slowRate = Math.min(RATE, AT_ONCE / (SLOW_MS / 1000));
    return [
      figure(
        `${engine}: of ${RATE * quick.length} a second, nine hosts together`,
        sum / (RATE * quick.length),
        {
          atLeast: 0.9,
        },
      ),
      figure(`${engine}: the least of the nine, of its rate`, Math.min(...quick) / RATE, { atLeast: 0.85 }),
      figure(`${engine}: the most of the nine, of its rate`, Math.max(...quick) / RATE, { atMost: 1.02 }),
      figure(`${engine}: the slow host, of what its rate and places allow`, rateOf(slowHost) / slowRate),
      figure(`${engine}: commits meanwhile, median to alone`, median(parallel) / alone),
      { name: `${engine}: longest commit meanwhile`, value: Math.max(...parallel), unit: "ms" },
      { name: `${engine}: processor time of a document`, value: cpuMs / fetched, unit: "ms" },
      { name: `${engine}: memory, start`, value: beforeMb, unit: "MB" },
      { name: `${engine}: memory, most`, value: mostMb, unit: "MB" },
      { name: `${engine}: attempts that failed`, value: failed, unit: "", budget: { atMost: 0 } },
    ];
  } finally {
    server.kill();
    await store.close();
  }
};

const figure = (name: string, value: number, budget?: Figure["budget"]): Figure => ({
  name,
  value,
  unit: "×",
  ...(budget === undefined ? {} : { budget }),
});

const addUris = async (url: string, port: number): Promise<void> => {
  const { offchain, close } = await openDocuments(url);
  const now = Date.now();
  for (let from = 0; from < uris; from += ROWS_PER_WRITE) {
    const count = Math.min(ROWS_PER_WRITE, uris - from);
    await offchain.writeRows(
      Array.from({ length: count }, (_, index) => {
        const uri = `http://${hostOf((from + index) % HOSTS)}:${port}/${from + index}.json`;
        return offchainRow(uri, { firstSeenMs: now - from - index, dueMs: now });
      }),
    );
  }
  await close();
};

/** Commits as a follower does, and measures each. */
class Committer {
  readonly #store: IndexStore;
  #slot = 0;

  constructor(store: IndexStore) {
    this.#store = store;
  }

  /** Milliseconds of each. */
  async commits(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let commit = 0; commit < count; commit += 1) {
      this.#slot += 1;
      const slot = this.#slot;
      const accounts = Array.from({ length: ACCOUNTS_PER_COMMIT }, (_, index) =>
        accountOf(`${index} of ${slot % 50}`, { slot }),
      );
      const startedMs = performance.now();
      await this.#store.commit(slotOf(slot, accounts));
      times.push(performance.now() - startedMs);
      await sleep(COMMIT_PAUSE_MS);
    }
    return times;
  }
}

const forkHere = (file: URL, args: readonly string[]): ChildProcess =>
  fork(file, [...args], { execArgv: process.execArgv });

const answerOf = async (child: ChildProcess): Promise<Readonly<Record<string, number>>> => {
  const [answer] = (await once(child, "message")) as [Readonly<Record<string, number>>];
  return answer;
};

const countsOf = async (server: ChildProcess): Promise<Readonly<Record<string, number>>> => {
  const answer = once(server, "message") as Promise<[{ readonly counts: Readonly<Record<string, number>> }]>;
  server.send("counts");
  return (await answer)[0].counts;
};
