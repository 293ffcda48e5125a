import { expect, test } from "vitest";
import { parseShardsUrl } from "./location.ts";

const codeOf = (url: string): unknown => {
  try {
    return parseShardsUrl(url);
  } catch (error) {
    expect(JSON.stringify(error) + String(error) + String((error as Error).cause)).not.toContain("secret");
    return (error as { readonly code?: unknown }).code;
  }
};

const coordinator = "shards://me:secret@one.example:5432/data?schema=coordinator";

test("reads the URL of the coordinator and of each shard", () => {
  expect(
    parseShardsUrl(`${coordinator}&shard=postgres://a.example/data&shard=postgres://b.example/data`),
  ).toEqual({
    coordinator: "postgres://me:secret@one.example:5432/data?schema=coordinator",
    shards: ["postgres://a.example/data", "postgres://b.example/data"],
  });
});

test.each([
  `${coordinator}&shard=postgres://me:secret@a.example,b.example/data`,
  `${coordinator}&shard=postgres://me:secret@a.example:5432,b.example:5433/data`,
  `${coordinator}&shard=postgres://me:secret@a.example/data?target_session_attrs=standby`,
  `${coordinator}&target_session_attrs=any&shard=postgres://a.example/data`,
  "shards://me:secret@one.example,two.example/data?shard=postgres://a.example/data",
])("refuses to choose among servers: %s", (url) => {
  expect(codeOf(url)).toBe("STORE__NO_SUCH_USE");
});

test.each([
  "shards://me:secret@one.example:1,two.example:2/data?shard=postgres://a.example/data",
  `${coordinator}`,
  `${coordinator}&shard=sqlite:me:secret@file`,
  `${coordinator}&shard=postgres://me:sec@ret@a.example/da@ta`,
])("refuses what is no store of shards: %s", (url) => {
  expect(codeOf(url)).toBe("STORE__URL");
});
