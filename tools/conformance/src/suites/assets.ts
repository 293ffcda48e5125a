import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { accountDifferences, newestVersions } from "../compare/account-reads-back.ts";
import { loadAccounts } from "../dump-files.ts";
import { type Lab, type OpenLab, withLab } from "../lab.ts";
import type { Case, Suite } from "../outcome.ts";
import { listOf, membersOf, readJson, type Members } from "../read-json.ts";
import { runCall, runDerived } from "./asset-calls.ts";
import { runContent } from "./asset-content.ts";
import { indexItems, runPlans } from "./asset-indexing.ts";
import { derivedTokenCases } from "./derived-token.ts";

/**
 * A folder of asset cases: every `case.json` in it, the account files next to each as expectations of their own, and
 * `derived-token.json`.
 */
export const openAssetSuite = async (folder: string, openLab: OpenLab): Promise<Suite> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name === "case.json")
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const cases: Case[] = [];
  for (const file of files) {
    const name = relative(folder, dirname(file));
    const document = membersOf(await readJson(file));
    cases.push({ name, run: () => runCase(openLab, dirname(file), document) });
    const accounts = join(dirname(file), "accounts");
    if (existsSync(accounts))
      cases.push({ name: `${name} (accounts)`, run: () => runReadBack(openLab, accounts) });
  }
  cases.push(...(await derivedTokenCases(folder, openLab)));
  return { cases, close: async () => {} };
};

/** Runs every order of arrival that the case allows, each on a store of its own; the first failing one reports. */
const runCase = async (openLab: OpenLab, folder: string, document: Members): Promise<readonly string[]> =>
  withLab(openLab, async (lab) => {
    for (const { label, steps } of runPlans(listOf(document["steps"]).map(membersOf))) {
      await lab.reset();
      for (const { step, number } of steps) {
        const differences = await runStep(lab, folder, step);
        if (differences.length > 0) {
          return differences.map(
            (difference) => `step ${number}${label === "" ? "" : ` (${label})`} ${difference}`,
          );
        }
      }
    }
    return [];
  });

const runStep = async (lab: Lab, folder: string, step: Members): Promise<readonly string[]> => {
  if (step["reset"] === true) {
    await lab.reset();
    return [];
  }
  if (step["index"] !== undefined) {
    await indexItems(lab, folder, membersOf(step["index"]));
    return [];
  }
  if (step["content"] !== undefined) {
    return runContent(folder, membersOf(step["content"]), membersOf(step["expect"]));
  }
  const differences = step["call"] === undefined ? [] : await runCall(lab, step);
  if (differences.length > 0) return differences;
  for (const derived of listOf(step["derived"]).map(membersOf)) {
    const derivedDifferences = await runDerived(lab, derived);
    if (derivedDifferences.length > 0) return derivedDifferences.map((difference) => `derived ${difference}`);
  }
  return [];
};

/** Every account file is also the expected account, once it is the newest version indexed. */
const runReadBack = async (openLab: OpenLab, folder: string): Promise<readonly string[]> =>
  withLab(openLab, async (lab) => {
    const accounts = await loadAccounts(folder);
    await lab.indexAccounts(accounts);
    const differences = [];
    for (const account of newestVersions(accounts))
      differences.push(...(await accountDifferences(lab, account)));
    return differences;
  });
