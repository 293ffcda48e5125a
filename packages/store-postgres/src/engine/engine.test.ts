import { describe, expect, test } from "vitest";
import { orderOf } from "./choose-server.ts";
import { translateEngineError } from "./engine-errors.ts";
import { parsePostgresUrl } from "./location.ts";

describe("parsePostgresUrl", () => {
  test("takes the schema out and leaves the rest to the driver", () => {
    expect(parsePostgresUrl("postgres://me:hush@host:5433/db?sslmode=require&schema=mine")).toEqual({
      autoMigrates: false,
      connectionString: "postgres://me:hush@host:5433/db?sslmode=require",
      schema: "mine",
      name: "postgres://host:5433/db?schema=mine",
      choice: null,
    });
    expect(parsePostgresUrl("postgresql://host/db")).toMatchObject({
      schema: "lamplight",
      name: "postgres://host/db",
    });
  });

  test("reads several servers, each with its port, and libpq's parameters", () => {
    const { choice, ...whole } = parsePostgresUrl(
      "postgres://me:hush@one:5433,two,[::1]:5434/db?schema=mine&sslmode=require",
    );
    expect(whole).toMatchObject({
      schema: "mine",
      name: "postgres://one:5433,two,[::1]:5434/db?schema=mine",
    });
    expect(choice).toMatchObject({ target: "prefer-standby", isRandom: true });
    expect(choice?.servers.map(({ connectionString, name }) => [connectionString, name])).toEqual(
      ["one:5433", "two", "[::1]:5434"].map((server) => [
        `postgres://me:hush@${server}/db?sslmode=require`,
        `postgres://${server}/db?schema=mine`,
      ]),
    );
    const chosen = parsePostgresUrl(
      "postgres://one,two/db?target_session_attrs=any&load_balance_hosts=disable",
    );
    expect(chosen.choice).toMatchObject({ target: "any", isRandom: false });
    const single = parsePostgresUrl("postgres://one/db?target_session_attrs=standby");
    expect(single.choice).toMatchObject({
      target: "standby",
      servers: [{ connectionString: "postgres://one/db" }],
    });
  });

  test.each([
    "postgres://me:hush@one,/db",
    "postgres://me:hush@one:x,two/db",
    "postgres://me:hush@one,two/db?target_session_attrs=replica",
    "postgres://me:hush@one,two/db?load_balance_hosts=on",
    "postgres://me:1,hush/hush@host/db",
    "mysql://me:hush@host/db",
    "postgres://me:hush@host:x/db",
    "postgres://me:hush@host/db?schema=a;b",
    "postgres://host/db?user=me&password=hush&schema=a;b",
    "postgres://me:hush/hush@host/db",
    "postgres://me:1/hush@host/db",
    "postgres://me:a@hush@host/db?schema=a;b",
    "postgres://me:a?hush@host/db",
    "postgres:me:hush@host/db?schema=a;b",
    "me:hush@host/db",
  ])("refuses %s without its password", (url) => {
    const refused = expect.objectContaining({
      code: "STORE__URL",
      message: expect.not.stringContaining("hush"),
    });
    expect(() => parsePostgresUrl(url)).toThrow(refused);
  });
});

describe("translateEngineError", () => {
  test.each([
    ["57P01", "STORE__UNREACHABLE"],
    ["57P03", "STORE__UNREACHABLE"],
    ["08006", "STORE__UNREACHABLE"],
    ["53300", "STORE__UNREACHABLE"],
    ["28P01", "STORE__UNREACHABLE"],
    ["ECONNREFUSED", "STORE__UNREACHABLE"],
    ["EPIPE", "STORE__UNREACHABLE"],
    ["57014", "QUERY__OVER_BUDGET"],
    ["53100", "STORE__FULL"],
    ["25006", "STORE__READ_ONLY"],
    ["42501", "STORE__READ_ONLY"],
    ["3D000", "STORE__MISSING"],
    ["55P03", "STORE__LOCKED"],
    ["42704", "STORE__NOT_A_STORE"],
    ["XX001", "STORE__CORRUPT"],
  ])("%s is %s", (code, expected) => {
    const error = Object.assign(new Error("as the server says"), { code });
    expect(translateEngineError(error, "postgres://host/db")).toMatchObject({ code: expected, cause: error });
  });

  test("leaves alone what is not the engine's to report", () => {
    for (const error of [new Error("a bug"), Object.assign(new Error("syntax"), { code: "42601" })]) {
      expect(translateEngineError(error, "s")).toBe(error);
    }
  });
});

test("readers try the servers in each order equally often", () => {
  const { choice } = parsePostgresUrl("postgres://one,two,three/db");
  const counts = new Map<string, number>();
  for (let round = 0; round < 6000; round += 1) {
    const order = orderOf(choice!)
      .map(({ name }) => name)
      .join();
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  // 1,000 are expected, with a standard deviation of 29.
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
});
