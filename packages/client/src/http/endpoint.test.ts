import { describe, expect, test } from "vitest";
import { resolveEndpoint } from "./endpoint.ts";

describe("resolveEndpoint", () => {
  test.each([
    ["http://h:1", "k", "http://h:1/v3/k"],
    ["http://h:1/", "a key", "http://h:1/v3/a%20key"],
    ["https://h/base/", "k", "https://h/base/v3/k"],
    ["http://h:1/v3/k", undefined, "http://h:1/v3/k"],
    ["http://h:1/rpc?x=1", undefined, "http://h:1/rpc?x=1"],
  ])("%s with the key %s posts to %s", (url, key, href) => {
    expect(resolveEndpoint(url, key).href).toBe(href);
  });

  test.each([
    ["http://h:1", "s3cret"],
    ["http://h:1/v3/s3cret", undefined],
    ["http://h:1/das/s3cret", undefined],
    ["http://user:s3cret@h:1/x", undefined],
    ["http://h:1/rpc?key=s3cret", undefined],
  ])("shows no key of %s", (url, key) => {
    const { shown, docs, redact } = resolveEndpoint(url, key);
    expect(`${shown} ${docs}`).toContain("h:1");
    expect(`${shown} ${docs}`).not.toContain("s3cret");
    if (!url.includes("user")) expect(redact("no such path: /v3/s3cret?key=s3cret")).not.toContain("=s3cret");
  });

  test.each([
    [undefined, undefined, "createClient needs"],
    ["", "k", "createClient needs"],
    ["localhost:5267", "k", "got localhost:5267"],
    ["ws://h", "k", "got ws://h"],
    ["/", "k", "got /"],
    ["http://", "k", "got http://"],
    ["http://h", "", "apiKey is empty"],
    ["http://h/v3/k", "k", "already contains /v3/"],
    ["http://h/v3", "k", "already contains /v3/"],
    ["http://h/das/k", "k", "already contains /das/"],
  ])("refuses url %s with key %s", (url, key, words) => {
    expect(() => resolveEndpoint(url, key)).toThrow(TypeError);
    expect(() => resolveEndpoint(url, key)).toThrow(words);
  });

  test("does not repeat the key of an address that it refuses", () => {
    expect(() => resolveEndpoint("htp://h/v3/s3cret", undefined)).toThrow(/^(?!.*s3cret)/);
  });
});
