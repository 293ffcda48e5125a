// Pages of a wallet to which a stranger has sent assets whose texts are as long as a mint can hold.

import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Asset } from "@lamplight/contract";
import { CallRequest, callMethod, createMethodSettings } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coreAsset, key, mint, tokenAccount } from "../test/encode-accounts.ts";
import { openTestStore, type TestStore } from "../test/open-test-store.ts";
import { createIndexer } from "./indexer.ts";

const SENT = 60;
const CHARS = 20_000;
const wallet = key(200);
const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });

/** A text of control characters. JSON takes six characters for each. */
const long: readonly number[] = [CHARS & 255, CHARS >> 8, 0, 0, ...Array.from({ length: CHARS }, () => 1)];

const sentTo = (index: number) => [
  mint(key(index), 5, {
    extensions: [
      [18, [...key(0), ...key(index)]],
      [19, [...key(0), ...key(index), ...long, ...long, ...long, 0, 0, 0, 0]],
    ],
  }),
  {
    ...tokenAccount(key(100 + index), 5, { mint: key(index), owner: wallet }),
    programOwner: programAddresses.token2022,
  },
];

let store: TestStore;
beforeAll(async () => {
  store = openTestStore();
  await store.store.writeCoverage({ kind: "whole" });
  const accounts = Array.from({ length: SENT }, (_, index) => sentTo(1 + index)).flat();
  accounts.push(coreAsset(key(255), 5, wallet, key(254)));
  await createIndexer(store.store).applyAccounts(accounts, { slot: 5, blockhash: null });
});
afterAll(() => store.close());

const ask = async (method: string, params: object): Promise<unknown> => {
  const reader = openSqliteReader({ file: store.file });
  const request = new CallRequest({ viewSource: reader, settings });
  try {
    return JSON.parse(String(await callMethod(method, params, request))) as unknown;
  } finally {
    request.close();
    reader.close();
  }
};

describe.each([{}, { showFungible: true }])("with the options %o", (options) => {
  test("the page is answered, with the wallet's own assets as they are and the long ones in part", async () => {
    const search = {
      ownerAddress: encodeAddress(wallet),
      limit: 100,
      sortBy: { sortBy: "id", sortDirection: "asc" },
      options,
    };
    const { total, items } = (await ask("searchAssets", search)) as { total: number; items: Asset[] };
    expect([total, items.length]).toEqual([SENT + 1, SENT + 1]);
    const cut = items.filter(({ content }) => content.truncated);
    // Half of an answer has room for 23 whole ones.
    expect(cut.length).toBe(SENT - 23);
    const wholeOf = async ({ id }: Asset): Promise<Asset> =>
      (await ask("getAsset", { id, options })) as Asset;
    expect(items.at(0)).toEqual(await wholeOf(items.at(0)!));
    expect(items.at(-1)).toEqual(await wholeOf(items.at(-1)!));
    const { content, mint_extensions, ...rest } = await wholeOf(cut[0]!);
    const metadata = { ...content.metadata, name: "", symbol: "" };
    expect(cut[0]).toEqual({ ...rest, content: { ...content, json_uri: "", metadata, truncated: true } });
    expect(mint_extensions).toBeDefined();
  });
});
