// Token accounts of a mint in PostgreSQL, as the writer and another process answer them above the finalized slot.

import { emptyChangeSet, reads } from "@lamplight/core";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectHoldersOnForks } from "../../../packages/indexer/test/holders-on-forks.ts";
import { onSharedForks, openSharedReader, openSharedStore } from "../test/shared-store.ts";

const firstSeed = Number(process.env["LAMPLIGHT_HOLDERS_SEED"] ?? 1);

describePostgres("token accounts of a mint next to a writer", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  test.each([firstSeed, firstSeed + 1])(
    "seed %i: both answer every page as the list has it (repeat with LAMPLIGHT_HOLDERS_SEED)",
    (seed) => onSharedForks(`${server.url}?schema=holders_${seed}`, seed, expectHoldersOnForks),
  );

  test("a store over several shards refuses them, with the reason", async () => {
    const url = storePlaces.find(({ kind }) => kind === "several shards")!.urlOf(server.url, "spread");
    const store = await openSharedStore(url);
    expect(store.holders).toBeUndefined();
    await store.commit({ ...emptyChangeSet, watermark: { slot: 1, blockhash: null } });
    const reader = await openSharedReader(url);
    const view = await reader.openView("finalized");
    await expect((async () => view.read(reads.holderCount(new Uint8Array(32))))()).rejects.toThrow(
      "token accounts of a mint without their wallet, in a store of several shards",
    );
    view.close();
    reader.close();
    await store.close();
  });
});
