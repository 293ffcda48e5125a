// Nodes over one PostgreSQL see the slots of a chain whose nodes replace banks without a word, as the writer publishes them.

import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll, test } from "vitest";
import { expectSameBanks } from "../../../packages/indexer/test/replaced-banks.ts";

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

  test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
    "seed %i: a node answers what the writer answers (repeat with LAMPLIGHT_BANKS_SEED)",
    async (seed) => {
      const url = `${server.url}?schema=banks_${seed}`;
      const store = await openPostgresStore({ url, mode: "write" });
      const reader = await openPostgresReader({ url });
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
