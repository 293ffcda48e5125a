import { encodeAddress, programAddresses, sysvarAddresses } from "@lamplight/codecs";
import {
  answerJoined,
  callMethod,
  createMethodSettings,
  type Read,
  type ViewSource,
  type ReadView,
  CallRequest,
} from "@lamplight/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import {
  accountAt,
  addressOf,
  clockAt,
  interestExtension,
  mintData,
  startingWith,
  tokenData,
} from "./records.ts";

const { nativeMint, token, token2022 } = programAddresses;
const delegate = addressOf(77);
const plainMints = [31, 32, 33].map((byte) => addressOf(byte));
const absentMint = addressOf(34);
const interestMint = addressOf(35);
const interestMintText = encodeAddress(interestMint);
const settings = createMethodSettings({ apiVersion: "1" });
const clockText = encodeAddress(sysvarAddresses.clock);

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open(null);
  const held = [...plainMints, ...plainMints, absentMint, nativeMint];
  await lab.indexAccounts([
    clockAt(10, 100n),
    ...plainMints.map((mint) => accountAt(mint, token, mintData(100n, 2))),
    accountAt(interestMint, token2022, mintData(100n, 2, interestExtension(0n, 0n, 5))),
    ...held.map((mint, index) => accountAt(startingWith(index), token, tokenData(mint, { delegate }))),
    ...[100, 101].map((first) =>
      accountAt(startingWith(first), token2022, tokenData(interestMint, { delegate, length: 166 })),
    ),
  ]);
});
afterAll(() => lab.close());

/** Addresses read by one call: one list for each read. */
const readsOf = async (method: string, params: readonly unknown[]): Promise<string[][]> => {
  const reads: string[][] = [];
  const viewSource = noting(await lab.viewSource(), reads);
  const request = new CallRequest({ viewSource, settings });
  try {
    await callMethod(method, params, request);
  } finally {
    request.close();
  }
  return reads;
};

/** The same views, with every account that is read by address noted. Joined reads are joined here from noted ones. */
const noting = (viewSource: ViewSource, noted: string[][]): ViewSource => ({
  openView: async (commitment) => {
    const view = await viewSource.openView(commitment);
    const { slot, coverage, incompleteTrees, terms } = view;
    const notingView: ReadView = {
      slot,
      coverage,
      incompleteTrees,
      terms,
      read: (asked) => {
        const one = asked as Read;
        if (one.kind === "account") noted.push([encodeAddress(one.address)]);
        if (one.kind === "accounts") noted.push(one.addresses.map(encodeAddress));
        return one.kind === "delegated" || one.kind === "accountWithMint"
          ? answerJoined(notingView, one)
          : view.read(one);
      },
      close: () => view.close(),
    };
    return notingView;
  },
});

const byProgram = (program: Uint8Array, encoding: string): readonly unknown[] => [
  encodeAddress(delegate),
  { programId: encodeAddress(program) },
  { encoding },
];

test("the mints of a list are read together, each once, and no clock with them", async () => {
  expect(await readsOf("getTokenAccountsByDelegate", byProgram(token, "jsonParsed"))).toEqual([
    [...plainMints, absentMint].map(encodeAddress),
  ]);
  expect(await readsOf("getTokenAccountsByDelegate", byProgram(token, "base64"))).toEqual([]);
});

test("the clock is read once for a list with a mint whose amounts grow", async () => {
  expect(await readsOf("getTokenAccountsByDelegate", byProgram(token2022, "jsonParsed"))).toEqual([
    [interestMintText],
    [clockText],
  ]);
});

const supply = (mint: Uint8Array): Promise<string[][]> => readsOf("getTokenSupply", [encodeAddress(mint)]);
const parsed = (address: Uint8Array): Promise<string[][]> =>
  readsOf("getAccountInfo", [encodeAddress(address), { encoding: "jsonParsed" }]);

test("one account needs the clock only where its amounts change with it", async () => {
  const [plain] = plainMints as [Uint8Array];
  expect(await supply(plain)).toEqual([[encodeAddress(plain)]]);
  expect(await supply(interestMint)).toEqual([[interestMintText], [clockText]]);
  expect(await parsed(plain)).toEqual([[encodeAddress(plain)]]);
  const [holder, growing] = [startingWith(0), startingWith(100)];
  expect(await parsed(holder)).toEqual([[encodeAddress(holder)], [encodeAddress(plain)]]);
  expect(await parsed(growing)).toEqual([[encodeAddress(growing)], [interestMintText], [clockText]]);
});
