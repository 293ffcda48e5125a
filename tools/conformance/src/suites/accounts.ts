import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { accountDifferences, newestVersions } from "../compare/account-reads-back.ts";
import { exactNumber, shown } from "../compare/exact-value.ts";
import { matchExpected } from "../compare/match-expected.ts";
import { loadAccounts } from "../dump-files.ts";
import type { Answer, Lab, OpenLab } from "../lab.ts";
import type { Case, Suite } from "../outcome.ts";
import { isMembers, listOf, membersOf, readJson, textOf, type Members } from "../read-json.ts";

/**
 * A folder of account dumps with expectations: every subfolder is loaded, in the order of their names, into one
 * store; each `*expected*.json` next to them lists requests of a Solana client and what it expects back.
 */
export const openAccountSuite = async (folder: string, openLab: OpenLab): Promise<Suite> => {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const dumps = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  const accounts = await loadAccounts(...dumps);
  const files = entries.filter((entry) => entry.isFile() && /expected.*\.json$/.test(entry.name));
  // One store for all: the cases only read.
  const lab = await openLab();
  await lab.indexAccounts(accounts);
  const cases: Case[] = newestVersions(accounts).map((account) => ({
    name: `reads-back/${encodeAddress(account.address)}`,
    run: () => accountDifferences(lab, account),
  }));
  for (const file of files) {
    for (const item of listOf(await readJson(join(folder, file.name)))) {
      if (!isMembers(item)) continue;
      cases.push({ name: `expected/${textOf(item["case"])}`, run: () => runClientCase(lab, item) });
    }
  }
  return { cases, close: () => lab.close() };
};

const runClientCase = async (lab: Lab, item: Members): Promise<readonly string[]> => {
  const answers: Answer[] = [];
  for (const request of listOf(item["requests"]).map(membersOf)) {
    // The client of these cases names itself in a header, hence the agave profile.
    answers.push(await lab.call(textOf(request["method"]), request["params"], "agave"));
  }
  const expected = listOf(item["expected"]);
  const matcher = textOf(item["matcher"]);
  if (item["via"] === "rejects") {
    const answer = answers.find(({ error }) => error !== null);
    return answer === undefined
      ? ["expected an error, got an answer"]
      : matchRejection(answer, matcher, expected);
  }
  const refused = answers.find(({ error }) => error !== null)?.error ?? null;
  if (refused !== null) return [`refused: ${refused.code} ${refused.message}`];
  const subject = answers.length === 1 ? answers[0]?.result : answers.map(({ result }) => result);
  const candidates = item["via"] === "resolves" ? [subject] : extractsOf(subject);
  // Without `via`, the client's test read a part of the answer that the file does not name.
  const failures = candidates.map((candidate) => matchValue(candidate, matcher, expected));
  return failures.find((list) => list.length === 0) ?? failures[0] ?? ["nothing to compare"];
};

/** The parts of an answer that tests pick out: the whole, its value, the data of its (first) account. */
const extractsOf = (subject: unknown): readonly unknown[] => {
  const value = membersOf(subject)["value"];
  const account = isMembers(value) ? value : membersOf(membersOf(listOf(value)[0])["account"]);
  const data = account["data"];
  const text = Array.isArray(data) ? textOf(data[0]) : textOf(data);
  return [data, subject, value, text, text.length];
};

const matchValue = (subject: unknown, matcher: string, expected: readonly unknown[]): readonly string[] => {
  switch (matcher) {
    case "toStrictEqual":
    case "toEqual":
    case "toBe":
      return matchExpected(subject, expected[0]);
    case "toMatchObject":
      return matchExpected(subject, { $objectContaining: expected[0] });
    case "toBeNull":
      return matchExpected(subject, null);
    case "toHaveLength":
      return matchExpected(listOf(subject).length, expected[0]);
    case "toBeLessThan": {
      const number = exactNumber(subject);
      const limit = exactNumber(expected[0]);
      const below = number !== null && limit !== null && number < limit;
      return below ? [] : [`expected less than ${shown(expected[0])}, got ${shown(subject)}`];
    }
    default:
      return [`${matcher} is no comparison this runner knows`];
  }
};

/** An error as the client's error object shows it. */
const matchRejection = (answer: Answer, matcher: string, expected: readonly unknown[]): readonly string[] => {
  const { error } = answer;
  const context = { __code: error?.code, __serverMessage: error?.message, ...membersOf(error?.data) };
  if (matcher === "toHaveProperty") {
    const subject = textOf(expected[0])
      .split(".")
      .reduce<unknown>((value, name) => membersOf(value)[name], { context, message: error?.message });
    if (expected.length === 1) return subject === undefined ? [`the error has no ${shown(expected[0])}`] : [];
    return matchExpected(subject, expected[1], textOf(expected[0]));
  }
  if (matcher !== "toThrow") return [`${matcher} is no comparison this runner knows`];
  const wanted = membersOf(membersOf(expected[0])["$error"]);
  const got = { code: error?.code, serverMessage: error?.message, ...membersOf(error?.data) };
  return matchExpected(got, { $objectContaining: wanted });
};
