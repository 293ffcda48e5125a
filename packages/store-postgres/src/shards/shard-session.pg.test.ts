import { expect, test } from "vitest";
import { startProxy } from "../../test/start-proxy.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { ShardSession } from "./shard-session.ts";

/** Milliseconds of silence that these tests use in place of a minute. */
const SILENCE_MS = 1200;

const open = (url: string): ShardSession =>
  new ShardSession(
    parsePostgresUrl(url),
    { role: "reader", statementTimeoutMs: 0 },
    { silenceMs: SILENCE_MS },
  );

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

  test("a session that its check refuses is not used, the next time neither", async () => {
    const checked: string[] = [];
    const check = async ({ store }: Session): Promise<void> => {
      checked.push(store);
      if (checked.length < 3) throw new Error("another server");
    };
    const location = parsePostgresUrl(under().newStore());
    const session = new ShardSession(location, { role: "writer" }, { check });
    await expect(ask(session)).rejects.toThrow("another server");
    await expect(ask(session)).rejects.toThrow("another server");
    expect(await ask(session)).toEqual([[1]]);
    expect(await ask(session)).toEqual([[1]]);
    expect(checked).toHaveLength(3);
    await session.close();
  });

  test("a statement may take longer while the server works on it", async () => {
    const session = open(under().newStore());
    expect(await session.use((one) => one.execute("SELECT 1 FROM pg_sleep(3)"))).toEqual([[1]]);
    await session.close();
  });
});
