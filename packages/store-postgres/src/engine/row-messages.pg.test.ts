import { expect, test } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { startProxy } from "../../test/start-proxy.ts";
import { parsePostgresUrl } from "./location.ts";
import { Session } from "./session.ts";
import { passingStatement } from "./statement.ts";

const columns = `'\\x00ff80c3'::bytea, 'ä€𝄞'::text, (-9223372036854775808)::bigint, (-32768)::smallint, 2147483647,
true, false, NULL::bytea, NULL::bigint, ARRAY[1, 4294967295]::bigint[], ARRAY[]::bigint[], 'a name'::name, ''::bytea`;

const values = [
  Uint8Array.of(0, 255, 128, 195),
  "ä€𝄞",
  -(2n ** 63n),
  -32_768,
  2_147_483_647,
  true,
  false,
  null,
  null,
  Uint32Array.of(1, 4_294_967_295),
  new Uint32Array(0),
  "a name",
  new Uint8Array(0),
];

describeWithPostgres("rows of a session", (under) => {
  const open = (): Promise<Session> =>
    Session.open(parsePostgresUrl(under().newStore()), { role: "reader", statementTimeoutMs: 0 });

  test("are the values of their columns, next to statements that answer text", async () => {
    const session = await open();
    const [rows, text, texts] = await Promise.all([
      session.all(passingStatement(`SELECT ${columns}`)),
      session.execute("SELECT 1::bigint, 'ä', NULL, true; SELECT 7, 2::bigint"),
      session.texts(passingStatement("SELECT 5::bigint, 'ä€'")),
    ]);
    expect(rows).toStrictEqual([values]);
    expect(text).toStrictEqual([[7, 2n]]);
    expect(texts).toStrictEqual([["5", "ä€"]]);
    await session.close();
  });

  test("arrive whole, however long they are and wherever the connection cuts them", async () => {
    const session = await open();
    const lengths = [0, 1, 65_533, 200_000, 3_000_000, 12];
    const rows = await session.all(
      passingStatement("SELECT repeat('x', n)::bytea, n FROM unnest($1::integer[]) n, generate_series(1, 3)"),
      `{${lengths.join(",")}}`,
    );
    expect(rows).toHaveLength(3 * lengths.length);
    for (const [bytes, length] of rows as readonly (readonly [Uint8Array, number])[])
      expect(Buffer.from(bytes).equals(Buffer.alloc(length, "x")), String(length)).toBe(true);
    await session.close();
  });

  test("of a type that nothing reads fail, and so does the statement alone", async () => {
    const session = await open();
    await expect(session.all(passingStatement("SELECT now()"))).rejects.toThrow("columns of type 1184");
    await session.close();
  });

  test("of a statement that is kept are the same without a further description, in each form", async () => {
    const session = await open();
    const kept = { name: "kept", text: "SELECT $1::bigint, 'ä'::text WHERE $2::text IS NOT NULL" };
    for (const value of [1n, -5n, null]) {
      expect(await session.all(kept, value, "x")).toStrictEqual([[value, "ä"]]);
      expect(await session.views(kept, value, "x")).toStrictEqual([[value, Buffer.from("ä")]]);
      expect(await session.texts(kept, value, "x")).toStrictEqual([
        [value === null ? null : String(value), "ä"],
      ]);
      expect(await session.all(kept, value, null)).toStrictEqual([]);
    }
    await session.close();
  });

  test("whose columns change fail, so that no row is read as what it is not", async () => {
    const session = await Session.open(parsePostgresUrl(under().newStore()), { role: "writer" });
    await session.execute("CREATE TEMPORARY TABLE changing AS SELECT 1::bigint AS one");
    const kept = { name: "kept", text: "SELECT * FROM changing" };
    for (let time = 0; time < 2; time += 1) expect(await session.all(kept)).toStrictEqual([[1n]]);
    await session.execute("ALTER TABLE changing ALTER COLUMN one TYPE text");
    await expect(session.all(kept)).rejects.toThrow("cached plan must not change result type");
    await session.close();
  });

  test("show bytes and texts where they are asked for as views", async () => {
    const session = await open();
    const [row] = await session.views(passingStatement("SELECT 'ä'::text, '\\x0102'::bytea, 3::bigint"));
    expect(row).toStrictEqual([Buffer.from("ä"), Uint8Array.of(1, 2), 3n]);
    await session.close();
  });

  test("that a proxy damages fail with every statement under way, and the session is not used again", async () => {
    const proxy = await startProxy(under().server.url);
    const location = parsePostgresUrl(proxy.urlOf(under().newStore()));
    const session = await Session.open(location, { role: "reader", statementTimeoutMs: 0 });
    const marker = Buffer.from("a field of a row");
    proxy.alter((bytes) => {
      const at = bytes.indexOf(marker);
      // The last byte of its length.
      if (at > 0) bytes[at - 1]! += 1;
      return bytes;
    });
    const asked = [`SELECT '${marker}', 1`, "SELECT 2"].map((sql) => session.all(passingStatement(sql)));
    const unreachable = { status: "rejected", reason: { code: "STORE__UNREACHABLE" } };
    expect(await Promise.allSettled(asked)).toMatchObject([unreachable, unreachable]);
    expect(session.isUsable).toBe(false);
    await session.close();
    await proxy.close();
  });
});
