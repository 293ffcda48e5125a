import { createHash } from "node:crypto";
import {
  decodeAddress,
  encodeAddress,
  isTokenAccount,
  programAddresses,
  sysvarAddresses,
} from "@lamplight/codecs";
import { type Account, parseExact } from "@lamplight/core";
import { memberText } from "../compare/member-text.ts";
import { matchExpected } from "../compare/match-expected.ts";
import { shown } from "../compare/exact-value.ts";
import type { Lab, OpenLab } from "../lab.ts";
import type { Suite } from "../outcome.ts";
import { membersOf, textOf, type Members } from "../read-json.ts";
import { bytesOfRecipe } from "./data-recipe.ts";
import { sameText } from "./vector-numbers.ts";

/** Owners of the accounts that vectors name by their parser. */
const owners: Readonly<Record<string, Uint8Array>> = {
  stake: programAddresses.stake,
  vote: programAddresses.vote,
  nonce: programAddresses.system,
  config: programAddresses.config,
  sysvar: programAddresses.sysvar,
  "bpf-upgradeable-loader": programAddresses.upgradeableLoader,
  "address-lookup-table": programAddresses.addressLookupTable,
};

/**
 * Account bytes and the exact text they parse to, asked for with getAccountInfo. One store serves all: every case
 * comes one slot later, and brings or removes what it needs (clock, mint, the account itself).
 */
export const decodeCases = async (
  file: string,
  vectors: readonly Members[],
  openLab: OpenLab,
): Promise<Suite> => {
  const lab = await openLab();
  let slot = 0;
  const cases = vectors.map((vector) => ({
    name: `${file}/${vector["program"] === undefined ? "" : `${textOf(vector["program"])} `}${textOf(vector["case"])}`,
    run: async () => {
      slot += 1;
      return vector["program"] === undefined ? runToken(lab, vector, slot) : runOther(lab, vector, slot);
    },
  }));
  return { cases, close: () => lab.close() };
};

const tokenAddress = new Uint8Array(32).fill(0xc5);

const runToken = async (lab: Lab, vector: Members, slot: number): Promise<readonly string[]> => {
  const data = Buffer.from(textOf(vector["dataBase64"]), "base64");
  const mint = vector["mintDataBase64"];
  const mintAddress = data.length < 32 ? new Uint8Array(32).fill(0xc6) : data.subarray(0, 32);
  await lab.indexAccounts([
    clockAt(BigInt(String(vector["unixTimestamp"] ?? 0)), slot),
    mint === null || mint === undefined
      ? { ...accountOf(mintAddress, programAddresses.system, new Uint8Array(0), slot), lamports: 0n }
      : accountOf(mintAddress, programAddresses.token2022, Buffer.from(textOf(mint), "base64"), slot),
    accountOf(tokenAddress, programAddresses.token2022, data, slot),
  ]);
  const differences = [...(await parsedDifferences(lab, encodeAddress(tokenAddress), data, vector))];
  const valid = vector["validTokenAccount"];
  if (typeof valid === "boolean" && isTokenAccount(data) !== valid) {
    differences.push(`is ${valid ? "a" : "no"} token account to the delegate index, we say otherwise`);
  }
  return differences;
};

const runOther = async (lab: Lab, vector: Members, slot: number): Promise<readonly string[]> => {
  const owner = owners[textOf(vector["program"])];
  if (owner === undefined) return [`${shown(vector["program"])} is no program this runner knows`];
  const recipe = vector["dataRecipe"];
  const data =
    recipe === undefined
      ? Buffer.from(textOf(vector["dataBase64"]), "base64")
      : bytesOfRecipe(textOf(recipe));
  const address = textOf(vector["address"]);
  await lab.indexAccounts([accountOf(decodeAddress(address), owner, data, slot)]);
  if (vector["expectedNote"] !== undefined)
    return noteDifferences(lab, address, membersOf(vector["expectedNote"]));
  return parsedDifferences(lab, address, data, vector);
};

const parsedDifferences = async (
  lab: Lab,
  address: string,
  data: Uint8Array,
  vector: Members,
): Promise<readonly string[]> => {
  const answer = await lab.call("getAccountInfo", [address, { encoding: "jsonParsed" }], "agave");
  if (answer.text === null) return [`refused: ${answer.error?.code} ${answer.error?.message}`];
  const expected = vector["expectedParsedText"];
  if (typeof expected === "string") {
    return sameText("parsed", memberText(answer.text, ["value", "data", "parsed"]), expected);
  }
  const shownData = membersOf(membersOf(answer.result)["value"])["data"];
  return matchExpected(shownData, [Buffer.from(data).toString("base64"), "base64"], "/value/data");
};

/** The slot history is a million digits: its case gives digests and ends instead of the text. */
const noteDifferences = async (lab: Lab, address: string, note: Members): Promise<readonly string[]> => {
  const answer = await lab.call("getAccountInfo", [address, { encoding: "jsonParsed" }], "agave");
  const text = answer.text === null ? null : memberText(answer.text, ["value", "data", "parsed"]);
  const parsed = membersOf(text === null ? null : parseExact(text));
  const info = membersOf(parsed["info"]);
  const bits = textOf(info["bits"]);
  const found = {
    type: parsed["type"],
    nextSlot: info["nextSlot"],
    bitsLength: bits.length,
    bitsPrefix: bits.slice(0, textOf(note["bitsPrefix"]).length),
    bitsSuffix: bits.slice(bits.length - textOf(note["bitsSuffix"]).length),
    bitsSha256: createHash("sha256").update(bits).digest("hex"),
  };
  return matchExpected(found, { $objectContaining: note });
};

const accountOf = (
  address: Uint8Array,
  programOwner: Uint8Array,
  data: Uint8Array,
  slot: number,
): Account => ({
  address,
  programOwner,
  lamports: 1_000_000_000n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot,
  writeVersion: 0,
});

const clockAt = (unixTimestamp: bigint, slot: number): Account => {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(slot), 0);
  data.writeBigInt64LE(unixTimestamp, 32);
  return accountOf(sysvarAddresses.clock, programAddresses.sysvar, data, slot);
};
