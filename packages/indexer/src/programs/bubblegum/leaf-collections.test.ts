// Compressed assets of a Core collection, from real transactions: what they take from its account.

import { decodeAddress, programAddresses } from "@lamplight/codecs";
import { type Account, emptyChangeSet } from "@lamplight/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collectionData, coreAccount, key, type Plugin, u32 } from "../../../test/encode-core.ts";
import { openTestStore, type TestStore } from "../../../test/open-test-store.ts";
import { type CaseRun, hasCases, type Input, readCases } from "../../../test/read-cases.ts";
import { createIndexer, type Indexer } from "../../indexer.ts";
import { verifyAssets } from "../../verify/verify-assets.ts";

const leaf = "HGu4vJMLCboGNNVnH6UXrQZKVVXBX4xMZFxfmFgQD9pG";
const collection = decodeAddress("7KdCe4Wbjdt6HLAW8LtgHg4c1pTHkmw4R48JW3EBRPLz");
const creator = key(3);
const watermark = { slot: 400_000_000, blockhash: null };

const inputsOf = ({ steps }: CaseRun): readonly Input[] =>
  steps.flatMap((step) => ("inputs" in step ? step.inputs : []));

const transactions = hasCases
  ? readCases()
      .filter(({ path }) => path.endsWith("/mint_v2_to_collection_only"))
      .flatMap(({ runs }) => inputsOf(runs[0]!))
      .flatMap((input) => (input.kind === "transaction" ? input.transaction : []))
  : [];

const royalties = (basisPoints: number): Plugin => ({
  type: 0,
  payload: Buffer.concat([Buffer.from([basisPoints, 0]), u32(1), creator, Uint8Array.of(100, 0)]),
});
const frozenBy = (frozen: boolean): Plugin => ({ type: 5, payload: [Number(frozen)] });

interface Shown {
  readonly ownership: { readonly frozen: boolean };
  readonly royalty: object;
  readonly creators: readonly object[];
  readonly creators_raw?: readonly object[];
}

describe.skipIf(!hasCases)("a leaf of a Core collection", () => {
  let store: TestStore;
  let indexer: Indexer;
  let slot: number;
  beforeEach(async () => {
    store = openTestStore();
    indexer = createIndexer(store.store);
    slot = 390_000_000;
    await indexer.applyTransactions(transactions, watermark);
  });
  afterEach(async () => {
    expect(await verifyAssets(store.store)).toMatchObject({ differing: 0 });
    expect(await store.verifyRows()).toEqual([]);
    await store.close();
  });

  const put = async (...plugins: readonly Plugin[]): Promise<readonly number[]> => {
    slot += 1;
    const changed: number[] = [];
    const account: Account = coreAccount(collection, collectionData(1, plugins), { slot });
    expect(account.programOwner).toEqual(programAddresses.mplCore);
    const watching = createIndexer(store.store, { onCommit: ({ assets }) => changed.push(assets.length) });
    await watching.applyAccounts([account], watermark);
    return changed;
  };
  const show = async (): Promise<Shown> =>
    JSON.parse((await store.findAsset(leaf))?.document ?? "null") as Shown;

  test("is frozen while its collection is, without being written again", async () => {
    expect((await show()).ownership.frozen).toBe(false);
    // Once, when the collection becomes known.
    expect(await put(frozenBy(true))).toEqual([2]);
    expect((await show()).ownership.frozen).toBe(true);
    expect(await put(frozenBy(false))).toEqual([1]);
    expect((await show()).ownership.frozen).toBe(false);
    // A rate of its own stays.
    expect(await put(royalties(70))).toEqual([1]);
    expect(await show()).toMatchObject({ royalty: { basis_points: 550 } });
    expect((await show()).royalty).not.toHaveProperty("inherited");
  });

  test("with 65535 basis points has the rate and the creators of its collection, regardless of what they become", async () => {
    const [state] = await store.store.readLedger("leaf", [decodeAddress(leaf)]);
    const inheriting = state!.state.replace('"basisPoints":550', '"basisPoints":65535');
    expect(inheriting).not.toBe(state!.state);
    await store.store.commit({ ...emptyChangeSet, ledger: [{ ...state!, state: inheriting }] });
    const raw = { basis_points_raw: 65_535, inherited: true };
    for (const [plugins, basisPoints, count] of [
      [[royalties(70)], 70, 1],
      [[royalties(90)], 90, 1],
      [[], 0, 0],
    ] as const) {
      await put(...plugins);
      const shown = await show();
      expect(shown.royalty).toMatchObject({
        ...raw,
        basis_points: basisPoints,
        percent: basisPoints / 10_000,
      });
      expect(shown.creators).toHaveLength(count);
      expect(shown.creators_raw).toBeDefined();
    }
  });
});
