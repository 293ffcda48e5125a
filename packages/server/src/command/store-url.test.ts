import { describe, expect, test } from "vitest";
import { nameOfStore } from "./store-url.ts";

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
  ])("%s is told without its password", (url) => {
    expect(nameOfStore(url)).not.toContain("hush");
  });
});
