import { decodeAddress, encodeAddress, isTokenAccount, programAddressTexts } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import { mintViewOf, nativeMintView } from "../amount/mint-view.ts";
import { shapeTokenAmount } from "../amount/shape-token-amount.ts";
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
  JSON.parse(writeJson(parseAccount(account, { mint: nativeMintView, unixTimestamp: 0n }))).parsed.info
    .extensions;

describe("extensions", () => {
  const closeAuthority = { closeAuthority: encodeAddress(Uint8Array.from(key4)) };

  test("of the other kind hide nothing that follows them", () => {
    const mint = mintWith(entry(3, key4), entry(7, []), entry(8, [1]), entry(2, key4), entry(12, key4));
    expect(extensionsOf(mint)).toEqual([
      { extension: "mintCloseAuthority", state: closeAuthority },
      { extension: "immutableOwner" },
      { extension: "unparseableExtension" },
      { extension: "unparseableExtension" },
      { extension: "permanentDelegate", state: { delegate: closeAuthority.closeAuthority } },
    ]);
  });

  test("of a mint hide nothing that follows them in a token account", () => {
    const entries = [...entry(25, []), ...entry(3, key4), ...entry(8, [1])];
    const data = new Uint8Array(166 + entries.length);
    data[108] = 1;
    data[165] = 2;
    data.set(entries, 166);
    expect(extensionsOf(accountOf(data))).toEqual([
      { extension: "unparseableExtension" },
      { extension: "unparseableExtension" },
      { extension: "memoTransfer", state: { requireIncomingTransferMemos: true } },
    ]);
  });

  test("a repeated extension shows the first one's values both times", () => {
    const other = Array.from({ length: 32 }, () => 5);
    const shown = { extension: "mintCloseAuthority", state: closeAuthority };
    expect(extensionsOf(mintWith(entry(3, key4), entry(3, other)))).toEqual([shown, shown]);
    const hidden = { extension: "unparseableExtension" };
    expect(extensionsOf(mintWith(entry(3, []), entry(3, key4)))).toEqual([hidden, hidden]);
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

/** A multiplier of 2.25 at any time. */
const multiplier = (): number[] => {
  const value = new DataView(new ArrayBuffer(56));
  value.setFloat64(32, 2.25, true);
  value.setFloat64(48, 2.25, true);
  return entry(25, [...new Uint8Array(value.buffer)]);
};

/** Interest at a rate of 0: amounts are as without it, and the multiplier does not count. */
const interest = entry(
  10,
  Array.from({ length: 52 }, () => 0),
);

const amountText = (mint: Account, amount: bigint): unknown => {
  const view = mintViewOf(mint.data);
  return view && JSON.parse(writeJson(shapeTokenAmount(amount, view, 1n))).uiAmountString;
};

describe("amounts of a mint", () => {
  test.each<[string, number[][], string]>([
    ["no extension", [], "4"],
    ["a multiplier", [multiplier()], "9"],
    ["an unknown type before it", [entry(29, [1, 2, 3]), multiplier()], "9"],
    ["unknown types of no bytes before it", [entry(200, []), [255, 255, 0, 0], multiplier()], "9"],
    ["types of token accounts before it", [entry(7, []), entry(2, key4), multiplier()], "9"],
    ["an entry of the wrong size before it", [entry(3, [1]), multiplier()], "9"],
    ["broken entries after it", [multiplier(), entry(29, []), [9, 0, 1, 0]], "9"],
    ["type 0 before it", [entry(0, [1, 2]), multiplier()], "4"],
    ["an entry before it that runs past the end", [[9, 0, 255, 255], multiplier()], "4"],
    ["its own bytes cut off", [multiplier().slice(0, -1)], "4"],
    ["its first entry empty", [entry(25, []), multiplier()], "4"],
    ["interest after it", [multiplier(), entry(29, []), interest], "4"],
    ["interest that is cut off after it", [multiplier(), interest.slice(0, -1)], "9"],
    ["only the type of the entry left", [[25, 0]], "4"],
  ])("with %s", (_, entries, text) => {
    expect(amountText(mintWith(...entries), 4n)).toBe(text);
  });

  test("are scaled where no extension is shown", () => {
    const mint = mintWith(entry(29, []), multiplier());
    expect(extensionsOf(mint)).toBeUndefined();
    expect(amountText(mint, 4n)).toBe("9");
  });
});
