// Several API nodes over one PostgreSQL: each with a search index of its own, fed by the changes in the database.

import { type AssetQuery, reads } from "@lamplight/core";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore, type PostgresReader } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

const queries: readonly AssetQuery[] = (["id", "created", "updated", "none"] as const).flatMap((sort) =>
  [[], [{ kind: "interface", value: "V1_NFT" } as const], [{ kind: "name", name: "a" } as const]].map(
    (criteria) => ({
      criteria,
      match: "all",
      negate: false,
      sort,
      direction: "desc",
      start: { kind: "page", page: 1 },
      limit: 20,
    }),
  ),
);

interface Node {
  readonly reader: PostgresReader;
  readonly life: SearchLife;
}

const startNode = async (url: string): Promise<Node> => {
  const reader = await openPostgresReader({ url });
  const life = await startSearchLife({ viewSource: reader, file: null });
  await life.filled;
  return { reader, life };
};

/** The slot a node is at, and what it answers there, documents included. */
const answersOf = async ({ life }: Node): Promise<{ slot: number; answers: string }> => {
  const view = await life.viewSource.openView("finalized");
  try {
    const answers: unknown[] = [];
    for (const query of queries) {
      const page = await view.read(reads.search(query));
      const assets = await view.read(reads.ownAssets(page.ordinals));
      answers.push([page.total, page.cursor, assets.map((asset) => asset?.document)]);
    }
    return { slot: view.slot, answers: JSON.stringify(answers) };
  } finally {
    view.close();
  }
};

describePostgres("several nodes over one PostgreSQL", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  test("answer the same for the same slot, one that joins late too, with one that stood still between", async () => {
    const store = await openPostgresStore({ url: postgres.url, mode: "write" });
    const indexer = createIndexer(store);
    await indexer.applyAccounts([], { slot: 0, blockhash: null });
    const nodes = [await startNode(postgres.url), await startNode(postgres.url)];
    const [first, second] = nodes as [Node, Node];
    let slot = 0;
    for (const { accounts } of demoChain()) {
      slot += 1;
      await indexer.applyAccounts(accounts, { slot, blockhash: null });
      const answered = await answersOf(first);
      expect(answered.slot).toBe(slot);
      // The second is asked only now and then, and has to take in several slots at once.
      if (slot % 3 === 0) expect(await answersOf(second)).toEqual(answered);
    }
    expect(slot).toBeGreaterThan(3);
    const late = await startNode(postgres.url);
    const expected = await answersOf(first);
    expect(expected.answers).toContain("V1_NFT");
    for (const node of [second, late]) expect(await answersOf(node)).toEqual(expected);
    for (const { life, reader } of [...nodes, late]) {
      await life.close();
      reader.close();
    }
    await store.close();
  });
});
