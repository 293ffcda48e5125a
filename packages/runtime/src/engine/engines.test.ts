import { describe, expect, test } from "vitest";
import { engineOf, nameOfStore } from "./engines.ts";

const fileOf = (url: string): string | null => engineOf(url).fileOf(url);

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

describe("engineOf", () => {
  test.each([
    ["sqlite:chain.db", "chain.db"],
    ["sqlite:chain", "chain"],
    ["sqlite:///data/chain.db", "///data/chain.db"],
  ])("%s is the file %s", (url, file) => {
    expect(fileOf(url)).toBe(file);
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
    expect(() => fileOf(url)).toThrow(reason);
    if (hint === "") expect(() => fileOf(url)).not.toThrow("did you mean");
  });

  test.each(["me:hush@host/db", "/run/postgresql?password=hush", "me:hush@host/db.db", "hush@host.db"])(
    "%s is refused without its password",
    (url) => {
      expect(() => fileOf(url)).toThrow(/^(?!.*hush).*invalid store/u);
    },
  );
});

describe("sibling", () => {
  test.each([
    ["sqlite:/data/chain.db", "sqlite:/data/second-chain.db"],
    ["postgres://me:hush@host/db?schema=mine", "postgres://me:hush@host/db?schema=second"],
  ])("of %s is %s", (url, sibling) => {
    expect(engineOf(url).sibling(url, "second")).toBe(sibling);
  });
});
