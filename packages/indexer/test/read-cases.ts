import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Account, parseExact, type Transaction } from "@lamplight/core";
import { parseAccountDump } from "@lamplight/sources/dumps";
import { parseTransactions } from "@lamplight/sources/transactions";

const shared = process.env["LAMPLIGHT_SHARED"] ?? resolve(import.meta.dirname, "../../../../shared");
export const hasCases = existsSync(join(shared, "das-cases"));
if (!hasCases) console.warn(`skipped: no asset cases in ${shared}`);

export type Json = null | boolean | number | bigint | string | Json[] | { [member: string]: Json };
export type JsonMembers = { [member: string]: Json };

/** One account state or one transaction. */
export type Input =
  | { readonly kind: "account"; readonly account: Account }
  | { readonly kind: "transaction"; readonly transaction: Transaction };

export interface ExpectedAnswer {
  readonly method: string;
  /** The reference's complete answer. */
  readonly result: Json;
  readonly options: JsonMembers;
  /** JSON pointers at which the case itself says that the reference is wrong. */
  readonly disputed: readonly string[];
}

/** Inputs to index on an empty store, and the answers that are then expected, in the order written. */
export interface CaseRun {
  readonly steps: readonly ({ readonly inputs: readonly Input[] } | { readonly expected: ExpectedAnswer })[];
}

export interface AssetCase {
  /** `topic/name`. */
  readonly path: string;
  readonly dialect: string;
  /** One per reset of the store. */
  readonly runs: readonly CaseRun[];
}

interface CaseFile {
  readonly dialect: string;
  readonly steps: readonly {
    readonly reset?: boolean;
    readonly index?: { readonly units: readonly { readonly items: readonly CaseItem[] }[] };
    readonly call?: { readonly method: string; readonly params: JsonMembers };
    readonly expect?: { readonly result?: Json };
    readonly disputedPaths?: readonly string[];
  }[];
}

interface CaseItem {
  readonly account?: string;
  readonly file: string;
}

/** Every case of the shared folder, by path. */
export const readCases = (): AssetCase[] =>
  globSync(join(shared, "das-cases/*/*/case.json")).toSorted().map(readCase);

const readCase = (file: string): AssetCase => {
  const { dialect, steps } = parseExact(readFileSync(file, "utf8")) as CaseFile;
  const folder = dirname(file);
  const runs: { steps: CaseRun["steps"][number][] }[] = [];
  for (const step of steps) {
    if (step.reset === true || runs.length === 0) runs.push({ steps: [] });
    const run = runs.at(-1);
    for (const unit of step.index?.units ?? [])
      run?.steps.push({ inputs: unit.items.map((item) => readInput(folder, item)) });
    if (step.call === undefined || step.expect?.result === undefined) continue;
    const { method, params } = step.call;
    const options = (params["options"] ?? params["displayOptions"] ?? {}) as JsonMembers;
    const { result } = step.expect;
    run?.steps.push({ expected: { method, result, options, disputed: step.disputedPaths ?? [] } });
  }
  return { path: folder.split("/").slice(-2).join("/"), dialect, runs };
};

const NO_SLOT = 0;

const readInput = (folder: string, item: CaseItem): Input => {
  const value = parseExact(readFileSync(join(folder, item.file), "utf8"));
  if (item.account !== undefined) return { kind: "account", account: parseAccountDump(value, NO_SLOT) };
  const [transaction] = parseTransactions(value, null);
  if (transaction === undefined) throw new Error(`${item.file} holds no transaction`);
  return { kind: "transaction", transaction };
};

/** All inputs of a run, in the order written. */
export const inputsOf = (run: CaseRun): Input[] =>
  run.steps.flatMap((step) => ("inputs" in step ? step.inputs : []));
