import { type Asset, type NumberedFacts, type ReadView } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { FinalizedFacts } from "./finalized-facts.ts";
import type { Delta } from "../engine/delta.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";

const idOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const assetOf = (number: number): Asset => ({ id: idOf(number), document: "{}", extras: null }) as Asset;

const changesOf = (...assets: readonly number[]): Delta => {
  const draft = new DeltaDraft();
  for (const number of assets) draft.setAsset(idOf(number), assetOf(number));
  return draft.finish(null);
};

/** A view of a store whose assets are numbered as their ids; reading facts waits for `ready`. */
const viewAt = (changeSeq: number, ready: Promise<void>): ReadView => {
  const readFacts = async (ids: readonly Uint8Array[]): Promise<readonly NumberedFacts[]> => {
    await ready;
    return ids.map((id) => ({ ...assetOf(id[0]!), ordinal: id[0]! }));
  };
  return { terms: { changeSeq, nextOrdinal: 100, readFacts } } as unknown as ReadView;
};

describe("FinalizedFacts", () => {
  test("what a view reads stays what its own root holds, though the finalized slot moves while it reads", async () => {
    const facts = new FinalizedFacts();
    const [below, above] = [changesOf(1), changesOf(1, 2)];
    // Asset 1 is known from here on.
    await facts.pathAssets([below], viewAt(7, Promise.resolve()));
    const { promise, resolve } = Promise.withResolvers<void>();
    const reading = facts.pathAssets([above, below], viewAt(7, promise));
    expect(facts.forgetFinalized([below], 7, 8)).toBe(true);
    resolve();
    expect([...(await reading).byOrdinal.keys()]).toEqual([1, 2]);
  });

  test("trusts nothing where more was written than the path", async () => {
    const facts = new FinalizedFacts();
    const below = changesOf(1);
    await facts.pathAssets([below], viewAt(7, Promise.resolve()));
    expect(facts.forgetFinalized([below], 7, 9)).toBe(false);
    expect(facts.forgetFinalized([below], 6, 7)).toBe(false);
    expect(facts.forgetFinalized([below], 7, 8)).toBe(true);
  });
});
