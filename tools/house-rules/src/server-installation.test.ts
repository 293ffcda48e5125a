import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages } from "../test/read-house.ts";

/** Everything that an installation of one package brings by `dependencies`, our own packages opened. */
const installedWith = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  const manifest = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (seen.has(dependency)) continue;
    seen.add(dependency);
    const local = /^@lamplight\/(.+)$/.exec(dependency)?.[1];
    if (local !== undefined) installedWith(local, seen);
  }
  return seen;
};

test("the server installs what it needs to serve a store, and nothing to follow or load one", () => {
  const names = [...installedWith("server")].toSorted();
  expect(names.filter((name) => name.startsWith("@lamplight/"))).toEqual(
    [
      "codecs",
      "contract",
      "core",
      "das",
      "docs",
      "errors",
      "indexer",
      "runtime",
      "search",
      "store-postgres",
      "store-shards",
      "store-sqlite",
    ].map((name) => `@lamplight/${name}`),
  );
  expect(names.filter((name) => !name.startsWith("@lamplight/"))).toEqual([
    "@opentelemetry/api",
    "@opentelemetry/core",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
    "@scure/base",
    "hash-wasm",
    "pg",
    "pg-copy-streams",
    "pino",
    "pino-pretty",
    "prom-client",
  ]);
  expect([...installedWith("cli")]).toContain("@grpc/grpc-js");
});
