import { expect, test } from "vitest";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { TransactionLease } from "./session-lease.ts";

describeWithPostgres("a lease with a transaction", (under) => {
  test("gives its session back when the last read has ended, and takes no read after its close", async () => {
    const location = parsePostgresUrl(under().newStore());
    const session = await Session.open(location, { role: "reader", statementTimeoutMs: 0 });
    await session.execute("BEGIN");
    const events: string[] = [];
    const lease = new TransactionLease(
      session,
      () => {},
      () => events.push("given back"),
    );
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const reading = lease.use(async (reader) => {
      await reader.execute("SELECT 1");
      await closed;
      const [row] = await reader.execute("SELECT now() = statement_timestamp()");
      events.push(`read in ${row?.[0] === true ? "no" : "a"} transaction`);
    });
    lease.close();
    await expect(lease.use(async () => events.push("read"))).rejects.toMatchObject({
      code: "QUERY__OVER_BUDGET",
    });
    close();
    await reading;
    await expect.poll(() => events).toEqual(["read in a transaction", "given back"]);
    await session.close();
  });
});
