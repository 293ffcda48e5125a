import { type AssetChange, assetInterfaces, type BriefChange, closedBitsOf } from "@lamplight/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { openSqliteReader } from "../reader/open-sqlite-reader.ts";
import { addressOf, assetOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { temporaryFile } from "../../test/temporary-file.ts";

const creators = fc.array(
  fc.record({ address: fc.constant(addressOf("creator")), verified: fc.boolean(), share: fc.constant(0) }),
  { maxLength: 3 },
);

const asset = fc.record({
  interface: fc.constantFrom(...assetInterfaces),
  ownerModel: fc.constantFrom("single" as const, "token" as const),
  royaltyModel: fc.constantFrom("creators" as const, "fanout" as const, "single" as const),
  compressed: fc.boolean(),
  compressible: fc.boolean(),
  frozen: fc.boolean(),
  burnt: fc.boolean(),
  supply: fc.constantFrom(null, 0n, 1n, 2n, 2n ** 63n, 2n ** 64n - 1n),
  createdSlot: fc.nat(),
  updatedSlot: fc.nat(),
  creators,
});

/** The brief form of a change in the long list. */
const inBrief = ({ ordinal, changeSeq, facts }: AssetChange): BriefChange => ({
  ordinal,
  changeSeq,
  facts: facts && {
    id: facts.id,
    closed: closedBitsOf(facts),
    createdSlot: facts.createdSlot,
    updatedSlot: facts.updatedSlot,
  },
});

test("says of every change what the long list says, removals included", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(asset, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 15 }),
      async (facts, limit) => {
        const place = temporaryFile();
        const store = openSqliteStore({ file: place.file, mode: "write" });
        try {
          const assets = facts.map((one, index) => ({ ...assetOf(index), ...one }));
          await store.commit(slotOf(1, [], { assets }));
          await store.commit(slotOf(2, [], { assetsRemoved: [assets[0]!.id] }));
          const reader = openSqliteReader({ file: place.file });
          const view = await reader.openView("finalized");
          for (const from of [0, 3])
            expect(await view.terms.listBriefChanges!(from, limit)).toEqual(
              (await view.terms.listChanges(from, limit)).map(inBrief),
            );
          view.close();
          reader.close();
        } finally {
          await store.close();
          place.remove();
        }
      },
    ),
    { numRuns: 20 },
  );
});
