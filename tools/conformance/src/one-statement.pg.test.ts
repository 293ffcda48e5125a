// Calls that name beforehand what they read are answered by one statement. Where that is not enough they restart, and
// Anything that was committed in between, an answer is of one slot.

import { encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  answerCall,
  createMethodSettings,
  type IndexStore,
  type Opening,
  type ViewSource,
  CallRequest,
} from "@lamplight/core";
import { createIndexer, ForkOverlay, type Indexer } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore, type PostgresReader } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  accountAt,
  addressOf,
  clockAt,
  interestExtension,
  mintData,
  tokenData,
} from "./account-rules/records.ts";

const { token, token2022 } = programAddresses;
const settings = createMethodSettings({ apiVersion: "1" });
const delegate = addressOf(77);
/** With zeros in its address, so that a token account's row does not show it. */
const hiddenMint = new Uint8Array(32).fill(9, 8);
const plainMint = addressOf(41);
const interestMint = addressOf(42);
/** Named by no finalized account: one is new itself. */
const [newMint, restingMint] = [addressOf(43), addressOf(44)];
const [holder, hiddenHolder, interestHolder] = [addressOf(51), addressOf(52), addressOf(53)];

/** Everything as of a slot: decimals, amounts and time all report it. */
const chainAt = (slot: number): readonly Account[] => {
  const traits = { slot };
  const held = (mint: Uint8Array, length?: number): Uint8Array => {
    const data = tokenData(mint, length === undefined ? { delegate } : { delegate, length });
    data[64] = slot;
    return data;
  };
  return [
    clockAt(slot, BigInt(slot) * 31_556_736n),
    accountAt(plainMint, token, mintData(BigInt(slot), slot), traits),
    accountAt(hiddenMint, token, mintData(BigInt(slot), slot), traits),
    accountAt(restingMint, token, mintData(BigInt(slot), slot), traits),
    accountAt(interestMint, token2022, mintData(1000n, slot, interestExtension(0n, 0n, 500)), traits),
    accountAt(holder, token, held(plainMint), traits),
    accountAt(hiddenHolder, token, held(hiddenMint), traits),
    accountAt(interestHolder, token2022, held(interestMint, 166), traits),
  ];
};

/** The delegate of more accounts than one page. They stay as they are. */
const crowd = addressOf(78);
const crowdAccounts = Array.from({ length: 1100 }, (_, index) => {
  const address = new Uint8Array(32).fill(8);
  new DataView(address.buffer).setUint16(0, index);
  return accountAt(address, token, tokenData(plainMint, { delegate: crowd }), { slot: 1 });
});

const parsed = { encoding: "jsonParsed" };
const delegated = (
  filter: Readonly<Record<string, Uint8Array>>,
  encoding: string,
  of: Uint8Array = delegate,
): readonly [method: string, params: readonly unknown[]] => {
  const texts = Object.entries(filter).map(([kind, address]) => [kind, encodeAddress(address)]);
  return ["getTokenAccountsByDelegate", [encodeAddress(of), Object.fromEntries(texts), { encoding }]];
};
/**
 * Number of views that each call needs when the store is written behind the first one: a second one for a second round.
 */
const calls: readonly (readonly [views: 1 | 2, what: string, method: string, params: readonly unknown[]])[] =
  [
    [1, "an account", "getAccountInfo", [encodeAddress(holder), { encoding: "base64" }]],
    [1, "a parsed mint", "getAccountInfo", [encodeAddress(plainMint), parsed]],
    [1, "a parsed token account", "getAccountInfo", [encodeAddress(holder), parsed]],
    [1, "one whose mint the row hides", "getAccountInfo", [encodeAddress(hiddenHolder), parsed]],
    [2, "one whose amounts need the clock", "getAccountInfo", [encodeAddress(interestHolder), parsed]],
    [1, "a missing account", "getAccountInfo", [encodeAddress(addressOf(99)), parsed]],
    [1, "a supply", "getTokenSupply", [encodeAddress(plainMint)]],
    [2, "a supply that grows", "getTokenSupply", [encodeAddress(interestMint)]],
    [1, "no supply", "getTokenSupply", [encodeAddress(addressOf(99))]],
    [1, "no asset", "getAsset", [encodeAddress(addressOf(99))]],
    [1, "accounts of a delegate", ...delegated({ programId: token }, "base64")],
    [1, "parsed accounts of a delegate", ...delegated({ programId: token }, "jsonParsed")],
    [1, "accounts of a delegate by mint", ...delegated({ mint: plainMint }, "base64")],
    [1, "parsed accounts of a delegate by mint", ...delegated({ mint: hiddenMint }, "jsonParsed")],
    [2, "accounts whose amounts need the clock", ...delegated({ programId: token2022 }, "jsonParsed")],
    [1, "bytes of the same", ...delegated({ programId: token2022 }, "base64")],
    [1, "more accounts than one statement brings", ...delegated({ programId: token }, "base64", crowd)],
    [1, "a delegate of nothing", ...delegated({ programId: token }, "jsonParsed", addressOf(99))],
    [1, "a mint that is missing", ...delegated({ mint: addressOf(99) }, "jsonParsed")],
  ];

const answer = async (
  viewSource: ViewSource,
  method: string,
  params: readonly unknown[],
  isAlone: boolean,
) => {
  const request = new CallRequest({ viewSource, settings, profile: "agave", isAlone });
  try {
    const text = await answerCall(method, params, request);
    return { text: String(text), slots: request.slots() };
  } catch (error) {
    return { text: String(error), slots: request.slots() };
  } finally {
    request.close();
  }
};

describePostgres("one statement for one call", () => {
  let server: TestPostgres;
  let store: IndexStore;
  let reader: PostgresReader;
  let indexer: Indexer;
  let slot = 0;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openPostgresStore({ url: server.url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    indexer = createIndexer(store);
    reader = await openPostgresReader({ url: server.url });
    await commitNext();
  });
  afterAll(async () => {
    reader?.close();
    await store?.close();
    await server?.stop();
  });

  /** Slots stay small: they are decimals too. */
  const commitNext = async (): Promise<void> => {
    slot += 1;
    const accounts = slot === 1 ? [...chainAt(slot), ...crowdAccounts] : chainAt(slot);
    await indexer.applyAccounts(accounts, { slot, blockhash: null });
  };

  test.each(calls)(
    "%i for %s: the same answer as in a transaction",
    async (_views, _what, method, params) => {
      const wanted = await answer(reader, method, params, false);
      // The second time everything is known that a statement's answer is understood by.
      for (let time = 1; time <= 2; time += 1)
        expect(await answer(reader, method, params, true)).toEqual(wanted);
    },
  );

  test.each(calls)(
    "%i for %s: a commit behind the first statement",
    async (viewsNeeded, _what, method, params) => {
      const opened: (Opening | undefined)[] = [];
      const moving: ViewSource = {
        openView: async (commitment, opening) => {
          const view = await reader.openView(commitment, opening);
          opened.push(opening);
          if (opened.length === 1) await commitNext();
          return view;
        },
      };
      const before = await answer(reader, method, params, false);
      const between = await answer(moving, method, params, true);
      const after = await answer(reader, method, params, false);
      expect(opened).toHaveLength(viewsNeeded);
      expect(opened[0]).toBeDefined();
      // One round was enough and is of the slot before, or everything is of the slot after.
      expect(between).toEqual(viewsNeeded === 1 ? before : after);
      expect(before.slots).not.toEqual(after.slots);
    },
  );

  test("over an unfinalized slot, a call alone answers as in a batch", async () => {
    const overlay = await ForkOverlay.open({ store, viewSource: reader });
    const traits = { slot: slot + 1 };
    const accounts = [
      accountAt(plainMint, token, mintData(1n, 9), traits),
      accountAt(hiddenHolder, token, tokenData(plainMint, { delegate: addressOf(76) }), traits),
      accountAt(addressOf(54), token, tokenData(newMint, { delegate }), traits),
      accountAt(newMint, token, mintData(1n, 3), traits),
      accountAt(addressOf(55), token, tokenData(restingMint, { delegate }), traits),
    ];
    await overlay.add({ slot: slot + 1, parent: slot, blockhash: null, accounts, transactions: [] });
    for (const [, , method, params] of calls) {
      // The last one is the configuration, where there is one.
      const config = typeof params.at(-1) === "object" ? (params.at(-1) as object) : {};
      const others = params.filter((one) => one !== config);
      const processed = method === "getAsset" ? params : [...others, { ...config, commitment: "processed" }];
      const wanted = await answer(overlay, method, processed, false);
      expect(await answer(overlay, method, processed, true)).toEqual(wanted);
      if (method !== "getAsset") expect(wanted.slots).toEqual([slot + 1]);
    }
  });
});
