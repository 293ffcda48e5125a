import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { floatDisplayText, JsonFloat, writeJson } from "@lamplight/core";
import { memberText } from "../compare/member-text.ts";
import type { OpenLab } from "../lab.ts";
import type { Suite } from "../outcome.ts";
import { textOf, type Members } from "../read-json.ts";

/** Cases of how a double is written in an answer, and how it is displayed. */
export const floatCases = (file: string, floats: readonly Members[]): Suite => ({
  close: async () => {},
  cases: floats.map((vector) => {
    const bits = textOf(vector["ieee754BitsHex"]);
    return {
      name: `${file}/float ${bits}`,
      run: async () => {
        const view = new DataView(new ArrayBuffer(8));
        view.setBigUint64(0, BigInt(`0x${bits}`));
        const double = view.getFloat64(0);
        return [
          ...sameText("in JSON", writeJson(new JsonFloat(double)), vector["jsonText"]),
          ...sameText("displayed", floatDisplayText(double), vector["displayText"]),
        ];
      },
    };
  }),
});

/** Token amounts, asked for as supplies of mints that have them. */
export const amountCases = async (
  file: string,
  amounts: readonly Members[],
  openLab: OpenLab,
): Promise<Suite> => {
  if (amounts.length === 0) return { cases: [], close: async () => {} };
  const lab = await openLab();
  await lab.indexAccounts(
    amounts.map((vector, index) => ({
      address: addressOf(index),
      programOwner: programAddresses.token,
      lamports: 1_461_600n,
      executable: false,
      rentEpoch: 0n,
      data: mintData(BigInt(textOf(vector["amount"])), Number(vector["decimals"])),
      slot: 1,
      writeVersion: index,
    })),
  );
  const cases = amounts.map((vector, index) => ({
    name: `${file}/amount ${textOf(vector["amount"])} with ${String(vector["decimals"])} decimals`,
    run: async () => {
      const answer = await lab.call("getTokenSupply", [encodeAddress(addressOf(index))], "agave");
      if (answer.text === null) return [`refused: ${answer.error?.code} ${answer.error?.message}`];
      return sameText("value", memberText(answer.text, ["value"]), vector["expectedText"]);
    },
  }));
  return { cases, close: () => lab.close() };
};

const addressOf = (index: number): Uint8Array => {
  const address = new Uint8Array(32).fill(11);
  new DataView(address.buffer).setUint32(28, index);
  return address;
};

const mintData = (supply: bigint, decimals: number): Uint8Array => {
  const data = new Uint8Array(82);
  new DataView(data.buffer).setBigUint64(36, supply, true);
  data[44] = decimals;
  data[45] = 1;
  return data;
};

/** The first difference between two texts; empty = there is none. */
export const sameText = (what: string, actual: string | null, expected: unknown): readonly string[] => {
  if (actual === expected) return [];
  const wanted = String(expected);
  let at = 0;
  while (at < wanted.length && wanted[at] === actual?.[at]) at += 1;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 30), at + 60));
  return [
    `${what}: differs at character ${at}: expected ${around(wanted)}, got ${around(actual ?? "nothing")}`,
  ];
};
