import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisCheckout } from "../../harness/serve.ts";
import type { Compared, CountedDifference, Difference } from "../differences.ts";
import type { ReadCall } from "../reads-options.ts";

const OUTPUT_BYTES_MAX = 1024 ** 3;

/** A line of `lamplight diff --json` about one call. */
interface Line {
  readonly call: { readonly method: string };
  readonly verdict: "equal" | "different" | "no common slot" | "not served";
  readonly differences: readonly {
    readonly at: string;
    readonly ours?: unknown;
    readonly theirs?: unknown;
  }[];
  /** Reasons of differences that are decided. */
  readonly known: readonly string[];
  readonly note: string | null;
}

/** By `lamplight diff --methods das` and its list of decided differences. Each call goes to both servers. */
export const diffDas = async (calls: readonly ReadCall[], ours: URL, theirs: URL): Promise<Compared> => {
  const differences = new Map<string, CountedDifference>();
  let wrong = 0;
  const note = (reason: string | null, example: Difference): void => {
    const key = `${example.path}: ${reason ?? "wrong"}`;
    const known = differences.get(key);
    if (known === undefined) differences.set(key, { answers: 1, example, reason });
    else known.answers += 1;
  };
  for (const { call, verdict, differences: found, known, note: problem } of await diff(calls, ours, theirs)) {
    if (verdict !== "equal") wrong += 1;
    if (problem !== null) note(null, { path: call.method, ours: problem, theirs: null });
    const places = new Map(found.map((one) => [`${call.method} ${placeOf(one.at)}`, one]));
    for (const [path, one] of places)
      note(null, { path, ours: textOf(one.ours), theirs: textOf(one.theirs) });
    for (const reason of known) note(reason, { path: call.method, ours: null, theirs: null });
  }
  return { wrong, differences };
};

const diff = async (calls: readonly ReadCall[], ours: URL, theirs: URL): Promise<readonly Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-diff-"));
  const requests = join(folder, "requests.jsonl");
  writeFileSync(requests, calls.map((call) => `${call.ours}\n`).join(""));
  const args = ["--methods=das", `--url=${ours}`, `--against=${theirs}`, `--requests=${requests}`];
  const command = [
    "--conditions=@lamplight/source",
    "--disable-warning=ExperimentalWarning",
    join(thisCheckout, "packages/cli/src/main.ts"),
    "diff",
    ...args,
    "--wait-seconds=0",
    "--json",
  ];
  try {
    const output = await run(command);
    const lines = output.trimEnd().split("\n");
    if (lines.length !== calls.length + 1)
      throw new Error(`lamplight diff compared ${lines.length - 1} calls`);
    return lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Its exit code is 1 where an answer differs, which its output says, too. */
const run = (command: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, command, { maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(`lamplight diff failed: ${stderr}`, { cause: error }));
    });
  });

/** With `*` for positions and ids. */
const placeOf = (at: string): string =>
  at.replaceAll(/\/(?:\d+|[1-9A-HJ-NP-Za-km-z]{32,44})(?=\/|$| )/gu, "/*");

const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
