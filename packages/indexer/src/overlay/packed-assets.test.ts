import { type Asset, reads } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { describe, expect, test } from "vitest";
import { key, mint } from "../../test/encode-accounts.ts";
import { openTestStore } from "../../test/open-test-store.ts";
import { Delta } from "../engine/delta.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "./fork-overlay.ts";
import { decodeSlotBody, encodeSlotBody } from "./slot-body.ts";

const ROOT = 10;
const id = key(1);
const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 7);

/** Control characters: JSON takes six for each. */
const controls = (length: number): string => {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(1 + ((state >>> 24) % 31));
  }).join("");
};

const text = (value: string): number[] => {
  const bytes = new TextEncoder().encode(value);
  return [bytes.length & 255, bytes.length >> 8, 0, 0, ...bytes];
};

const metadataMint = (slot: number, value: string) =>
  mint(id, slot, {
    extensions: [
      [18, [...key(0), ...id]],
      [
        19,
        [
          ...key(3),
          ...id,
          ...text("Name"),
          ...text("N"),
          ...text("u"),
          1,
          0,
          0,
          0,
          ...text("é"),
          ...text(value),
        ],
      ],
    ],
  });

const shownIn = ({ document }: Pick<Asset, "document">): unknown =>
  (JSON.parse(document) as { mint_extensions: { metadata: { additional_metadata: unknown } } })
    .mint_extensions.metadata.additional_metadata;

describe("long texts above the finalized slot", () => {
  test(`count about as much as they take on chain, and are answered and committed whole (seed ${seed})`, async () => {
    const { store, file, findAsset, close } = openTestStore();
    const reader = openSqliteReader({ file });
    try {
      await createIndexer(store).applyAccounts([], { slot: ROOT, blockhash: "root" });
      const overlay = await ForkOverlay.open({ store, viewSource: reader });
      const value = controls(60_000);
      const accounts = [mint(id, 11), metadataMint(12, value), metadataMint(13, `${value}1`)];
      for (const account of accounts) {
        const { slot } = account;
        await overlay.add({
          slot,
          parent: slot - 1,
          blockhash: `${slot}`,
          accounts: [account],
          transactions: [],
        });
      }
      overlay.confirm(13);
      const { unfinalizedBytes, unfinalizedAssetBytes } = overlay.state;
      expect(unfinalizedBytes).toBeGreaterThan(120_000);
      expect(unfinalizedAssetBytes).toBeLessThan(2 * unfinalizedBytes);
      const view = await overlay.openView("confirmed");
      const own = await view.read(reads.ownAsset(id));
      expect(shownIn(own!)).toEqual([["é", `${value}1`]]);
      view.close();
      await overlay.finalize(13);
      expect((await findAsset("4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"))!.document).toBe(own!.document);
    } finally {
      reader.close();
      await close();
    }
  });

  test("are those of the asset in copies, in what is published, and after reading that", async () => {
    const asset = { id, name: "", jsonUri: "", document: `"${"é".repeat(20_000)}"`, extras: null } as Asset;
    for (const one of [asset, { ...asset, extras: `"${"\\u0001".repeat(10_000)}"` }]) {
      const draft = new DeltaDraft();
      draft.setAsset(id, one);
      const changes = draft.finish(null);
      const read = await decodeSlotBody(await encodeSlotBody({ reported: null, changes }));
      if (read === null || read === "missing") throw new Error(`the body is ${read}`);
      for (const delta of [changes, read.changes, new Delta(read.changes)]) {
        expect({ ...delta.assets[0]! }).toEqual(one);
        expect(delta.assetBytes).toBeLessThan(5000);
      }
    }
  });
});
