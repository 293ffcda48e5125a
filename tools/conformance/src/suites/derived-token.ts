import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { newestVersions } from "../compare/account-reads-back.ts";
import { shown } from "../compare/exact-value.ts";
import { valueAt } from "../compare/json-pointer.ts";
import { matchExpected } from "../compare/match-expected.ts";
import { loadAccounts } from "../dump-files.ts";
import { type OpenLab, withLab } from "../lab.ts";
import type { Case } from "../outcome.ts";
import { listOf, membersOf, readJson, textOf, type Members } from "../read-json.ts";

/** Cases of what getTokenSupply and getTokenAccountsByDelegate must answer for single account files. */
export const derivedTokenCases = async (folder: string, openLab: OpenLab): Promise<readonly Case[]> => {
  const path = join(folder, "derived-token.json");
  if (!existsSync(path)) return [];
  const document = membersOf(await readJson(path));
  const mintFiles = await accountFilesByAddress(folder);
  const lines = [...listOf(document["mints"]), ...listOf(document["delegated"])].map(membersOf);
  return lines.map((line) => {
    const file = textOf(line["file"]);
    const kind = line["mint"] === undefined ? "delegate of" : "supply of";
    return {
      name: `${dirname(dirname(file))} (${kind} ${basename(file, ".json")})`,
      run: () => runLine(openLab, folder, line, mintFiles),
    };
  });
};

/** Any file of an address, so that a mint is known even where its own case does not hold it. */
const accountFilesByAddress = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile() || basename(entry.parentPath) !== "accounts") continue;
    files.set(basename(entry.name, ".json").split("@")[0] ?? "", join(entry.parentPath, entry.name));
  }
  return files;
};

const runLine = async (
  openLab: OpenLab,
  folder: string,
  line: Members,
  mintFiles: ReadonlyMap<string, string>,
): Promise<readonly string[]> =>
  withLab(openLab, async (lab) => {
    const expect = membersOf(line["expect"]);
    const method = textOf(expect["method"]);
    const own = await loadAccounts(join(folder, textOf(line["file"])));
    await lab.indexAccounts([...(await companionsOf(folder, line, own, mintFiles)), ...own]);
    const answer = await lab.call(method, expect["params"]);
    if (answer.error !== null) return [`refused: ${answer.error.code} ${answer.error.message}`];
    const value = membersOf(answer.result)["value"];
    if (expect["value"] !== undefined) return matchExpected(value, { $objectContaining: expect["value"] });
    const wanted = listOf(expect["contains"]).map(membersOf);
    const found = listOf(value).some((entry) =>
      wanted.every(({ path, equals }) => matchExpected(valueAt(entry, textOf(path)), equals).length === 0),
    );
    return found ? [] : [`no entry of ${shown(value)} has ${shown(wanted)}`];
  });

/** The other accounts of the case, and the mint that amounts need; never another version of the account itself. */
const companionsOf = async (
  folder: string,
  line: Members,
  own: readonly Account[],
  mintFiles: ReadonlyMap<string, string>,
): Promise<readonly Account[]> => {
  const ownAddresses = new Set(own.map(({ address }) => encodeAddress(address)));
  const beside = newestVersions(await loadAccounts(join(folder, dirname(textOf(line["file"])))));
  const mint = textOf(membersOf(listOf(membersOf(line["expect"])["params"])[1])["mint"]);
  const known = beside.some(({ address }) => encodeAddress(address) === mint);
  const elsewhere = known ? undefined : mintFiles.get(mint);
  const mints = elsewhere === undefined ? [] : await loadAccounts(elsewhere);
  return [...mints, ...beside].filter(({ address }) => !ownAddresses.has(encodeAddress(address)));
};
