import { describe, expect, test } from "vitest";
import { translateEngineError } from "./engine-errors.ts";
import { parsePostgresUrl } from "./location.ts";

describe("parsePostgresUrl", () => {
  test("takes the schema out and leaves the rest to the driver", () => {
    expect(
      parsePostgresUrl("postgres://me:hush@host:5433/db?sslmode=require&schema=mine&accept_mixed_slots=on"),
    ).toEqual({
      connectionString: "postgres://me:hush@host:5433/db?sslmode=require",
      schema: "mine",
      acceptsMixedSlots: true,
      name: "postgres://host:5433/db?schema=mine",
    });
    expect(parsePostgresUrl("postgresql://host/db")).toMatchObject({
      schema: "lamplight",
      name: "postgres://host/db",
    });
  });

  test.each([
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
