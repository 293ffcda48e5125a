import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { openPostgresReader } from "./open-postgres-reader.ts";

describeWithPostgres("a view with a transaction", (under) => {
  test("gives its session back when the last read has ended, and takes no read after its close", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    const reader = await openPostgresReader({ url, sessionsMax: 1, viewWaitMs: 600_000 });
    const view = await reader.openView("finalized");
    const events: string[] = [];
    const { promise: closed, resolve: goOn } = Promise.withResolvers<void>();
    const reading = view.use(async (session) => {
      await session.execute("SELECT 1");
      await closed;
      const [row] = await session.execute("SELECT now() = statement_timestamp()");
      events.push(`read in ${row?.[0] === true ? "no" : "a"} transaction`);
    });
    view.close();
    // There is one session for all views.
    const next = (async () => {
      const opened = await reader.openView("finalized");
      events.push("given back");
      return opened;
    })();
    await expect(view.use(async () => events.push("read"))).rejects.toMatchObject({
      code: "QUERY__OVER_BUDGET",
    });
    goOn();
    await reading;
    (await next).close();
    expect(events).toEqual(["read in a transaction", "given back"]);
    reader.close();
    await store.close();
  });
});
