import { decodeAddress, encodeAddress, isTokenAccount, programAddressTexts } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import type { Account } from "../domain/account.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccount } from "./parse-account.ts";

const accountOf = (data: Uint8Array): Account => ({
  address: decodeAddress(programAddressTexts.splNoop),
  programOwner: decodeAddress(programAddressTexts.token2022),
  lamports: 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: 1,
  writeVersion: 0,
});

const entry = (type: number, value: number[]): number[] => [type, 0, value.length, 0, ...value];
const key4 = Array.from({ length: 32 }, () => 4);
const mintWith = (...entries: number[][]): Account => {
  const data = new Uint8Array(166 + entries.flat().length);
  data[45] = 1;
  data[165] = 1;
  data.set(entries.flat(), 166);
  return accountOf(data);
};
const extensionsOf = (account: Account): unknown =>
  JSON.parse(writeJson(parseAccount(account, { mint: null, unixTimestamp: 0n }))).parsed.info.extensions;

describe("extensions", () => {
  const closeAuthority = { closeAuthority: encodeAddress(Uint8Array.from(key4)) };

  test("of the other kind hide the values of what follows them, as the reference's search stops there", () => {
    expect(extensionsOf(mintWith(entry(3, key4), entry(7, []), entry(12, key4)))).toEqual([
      { extension: "mintCloseAuthority", state: closeAuthority },
      { extension: "immutableOwner" },
      { extension: "unparseableExtension" },
    ]);
  });

  test("a repeated extension shows the first one's values both times", () => {
    const other = Array.from({ length: 32 }, () => 5);
    const shown = { extension: "mintCloseAuthority", state: closeAuthority };
    expect(extensionsOf(mintWith(entry(3, key4), entry(3, other)))).toEqual([shown, shown]);
  });

  test("one unknown type, or an entry that does not fit, hides all of them; what ends the list hides none", () => {
    const known = [{ extension: "mintCloseAuthority", state: closeAuthority }];
    for (const rest of [
      [29, 0, 0, 0],
      [255, 255],
      [9, 0],
      [9, 0, 0],
      [9, 0, 1, 0],
    ])
      expect(extensionsOf(mintWith(entry(3, key4), rest))).toBeUndefined();
    for (const rest of [[], [9], [0, 0], [0, 0, 0], entry(0, [29, 0, 0, 0]), [0, 0, 255, 255]])
      expect(extensionsOf(mintWith(entry(3, key4), rest))).toEqual(known);
  });

  test("of the other kind have no value, but for markers", () => {
    const both = mintWith(entry(8, [1]), entry(27, []));
    expect(extensionsOf(both)).toEqual([
      { extension: "unparseableExtension" },
      { extension: "pausableAccount" },
    ]);
  });

  test("a value of another size is unparseable, a marker of another size is not", () => {
    for (const value of [key4.slice(1), [...key4, 0], []])
      expect(extensionsOf(mintWith(entry(3, value), entry(9, [1, 2])))).toEqual([
        { extension: "unparseableExtension" },
        { extension: "nonTransferable" },
      ]);
  });

  test("many entries cost one decoding each name", () => {
    const account = mintWith(
      ...Array.from({ length: 50_000 }, (_, index) => entry(index % 2 === 0 ? 9 : 12, [])),
    );
    expect(extensionsOf(account)).toHaveLength(50_000);
  });

  test("a token account predicate does not follow from a mint", () => {
    expect(isTokenAccount(mintWith(entry(9, [])).data)).toBe(false);
  });
});
