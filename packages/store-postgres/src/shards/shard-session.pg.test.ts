import { expect, test } from "vitest";
import { startProxy } from "../../test/start-proxy.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { ShardSession } from "./shard-session.ts";

/** Milliseconds of silence that these tests use in place of a minute. */
const SILENCE_MS = 1200;

const open = (url: string): ShardSession =>
  new ShardSession(parsePostgresUrl(url), { role: "reader", statementTimeoutMs: 0 }, SILENCE_MS);

const ask = (session: ShardSession) => session.use((one) => one.execute("SELECT 1"));

describeWithPostgres("the session of a shard's writer", (under) => {
  test("a server that vanished without a word fails a statement, and keeps no one from closing", async () => {
    const proxy = await startProxy(under().server.url);
    const session = open(proxy.urlOf(under().newStore()));
    expect(await ask(session)).toEqual([[1]]);
    proxy.vanish();
    await expect(ask(session)).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
    await session.close();
    await proxy.close();
  });

  test("after a lost connection, the next use makes another one", async () => {
    const proxy = await startProxy(under().server.url);
    const session = open(proxy.urlOf(under().newStore()));
    await ask(session);
    proxy.swallow();
    await expect(ask(session)).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
    expect(await ask(session)).toEqual([[1]]);
    await session.close();
    await proxy.close();
  });

  test("a statement may take longer while the server works on it", async () => {
    const session = open(under().newStore());
    expect(await session.use((one) => one.execute("SELECT 1 FROM pg_sleep(3)"))).toEqual([[1]]);
    await session.close();
  });
});
