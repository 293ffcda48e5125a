// Nodes over one PostgreSQL see the slots of a chain whose nodes replace banks without a word, as the writer publishes them.

import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expectSameBanks } from "../../../packages/indexer/test/replaced-banks.ts";
import { openSharedReader, openSharedStore } from "../test/shared-store.ts";

const firstSeed = Number(process.env["LAMPLIGHT_BANKS_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_BANKS_SEEDS"] ?? 3);

describePostgres("nodes next to a writer whose source replaces banks", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  describe.each(storePlaces)("over $kind", ({ urlOf }) => {
    test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
      "seed %i: a node answers what the writer answers (repeat with LAMPLIGHT_BANKS_SEED)",
      async (seed) => {
        const url = urlOf(server.url, `banks_${seed}`);
        const store = await openSharedStore(url);
        const reader = await openSharedReader(url);
        try {
          await expectSameBanks({
            seed,
            store,
            openViews: async () => reader,
            shared: store,
            unfinalized: reader,
          });
        } finally {
          reader.close();
          await store.close();
        }
      },
    );
  });
});
