import { type IndexStore, reads } from "@lamplight/core";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { withView } from "../../test/with-view.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import type { PostgresReader } from "../reader/postgres-reader.ts";
import { PostgresView } from "../reader/postgres-view.ts";

const tree = addressOf("tree");
const leaf = {
  kind: "leaf",
  key: addressOf("leaf"),
  tree,
  state: JSON.stringify({ nonce: 3, treeConfig: null, leaf: null, end: null, metadata: null }),
} as const;
const asked = reads.leafPath(leaf.key);

describeWithPostgres("a view of the path of a leaf", (under) => {
  let store: IndexStore;
  let reader: PostgresReader;
  let url: string;

  beforeEach(async () => {
    url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    // It is no account of a tree, so it has no top.
    await store.commit(slotOf(1, [accountOf("tree")], { ledger: [leaf] }));
    reader = await openPostgresReader({ url });
    await withView(reader, null, () => undefined);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    reader.close();
    await store.close();
  });

  /** Acts as another database that was put in the place of this one. */
  const putBack = async (): Promise<void> => {
    const client = await under().server.connect();
    const schema = new URL(url).searchParams.get("schema");
    await client.query(`UPDATE ${schema}.head SET writer_id = 'put back'`);
    await client.end();
  };

  const read = (): Promise<{ readonly hasTransaction: boolean; readonly path: unknown }> =>
    withView(reader, asked, async (view) => ({
      hasTransaction: view instanceof PostgresView && view.hasTransaction,
      path: await view.read(asked),
    }));

  test("has no transaction, and answers what one with a transaction does", async () => {
    const wanted = await withView(reader, null, (view) => view.read(asked));
    expect(wanted).toMatchObject({ leaf: { nonce: 3 }, top: null });
    expect(await read()).toEqual({ hasTransaction: false, path: wanted });
  });

  test("has a transaction where another database was put in place, and others know of it before the tree is read", async () => {
    const get = Session.prototype.get;
    const askAfter = (happens: () => Promise<void>) =>
      async function (this: Session, ...asking: Parameters<Session["get"]>) {
        await happens();
        return get.apply(this, asking);
      };
    vi.spyOn(Session.prototype, "get")
      .mockImplementationOnce(askAfter(putBack))
      .mockImplementationOnce(askAfter(() => withView(reader, null, () => undefined)));
    const { hasTransaction, path } = await read();
    expect(hasTransaction).toBe(true);
    expect(path).toMatchObject({ leaf: { nonce: 3 } });
  });
});
