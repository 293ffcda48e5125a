import { describe, expect, test } from "vitest";
import { nameOfStore, parseStoreUrl } from "./store-url.ts";

describe("nameOfStore", () => {
  test.each([
    ["sqlite:/data/chain.db", "sqlite:/data/chain.db"],
    ["postgres://me:hush@host:5433/db", "postgres://host:5433/db"],
    ["postgres://me:hush@host/db?schema=mine&sslmode=require", "postgres://host/db?schema=mine"],
    ["chain", "chain"],
  ])("%s is %s", (url, name) => {
    expect(nameOfStore(url)).toBe(name);
  });

  test.each([
    "postgres://host/db?user=me&password=hush",
    "postgres://me:hush/hush@host/db",
    "postgres://me:1/hush@host/db",
    "postgres://me:a@hush@host/db",
    "postgres://me:a?hush@host/db",
    "postgres://me:a#hush@host/db",
    "postgres:me:hush@host/db",
    "me:hush@host/db",
    "/run/postgresql?password=hush",
  ])("%s is reported without its password", (url) => {
    expect(nameOfStore(url)).not.toContain("hush");
  });
});

describe("parseStoreUrl", () => {
  test.each([
    ["sqlite:chain.db", "chain.db"],
    ["sqlite:chain", "chain"],
    ["sqlite:///data/chain.db", "///data/chain.db"],
  ])("%s is the file %s", (url, file) => {
    expect(parseStoreUrl(url)).toEqual({ kind: "sqlite", file });
  });

  test.each([
    ["chain.db", "; did you mean sqlite:chain.db?"],
    ["/data/chain.db", "; did you mean sqlite:/data/chain.db?"],
    ["chain", "; did you mean sqlite:chain?"],
    ["data/chain", "; did you mean sqlite:data/chain?"],
    ["sqlite://chain.db", "; did you mean sqlite:chain.db?"],
    ["file:chain.db", "; did you mean sqlite:chain.db?"],
    ["mysql://host/db", ""],
    ["sqlite:", ""],
    ["", ""],
  ])("%j is refused with what was probably meant", (url, hint) => {
    const reason = `invalid store ${JSON.stringify(url)}; use sqlite:FILE or postgres://HOST/DATABASE${hint}`;
    expect(() => parseStoreUrl(url)).toThrow(reason);
    if (hint === "") expect(() => parseStoreUrl(url)).not.toThrow("did you mean");
  });

  test.each(["me:hush@host/db", "/run/postgresql?password=hush", "me:hush@host/db.db", "hush@host.db"])(
    "%s is refused without its password",
    (url) => {
      expect(() => parseStoreUrl(url)).toThrow(/^(?!.*hush).*invalid store/u);
    },
  );
});
