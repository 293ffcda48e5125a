import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentQueueOf, sanitizeUri } from "./document-queue.ts";

describe("sanitizeUri", () => {
  test("cuts at the first NUL, drops control characters, trims", () => {
    expect(sanitizeUri("  https://a.b/c\u0001\u0085 \0\0junk")).toBe("https://a.b/c");
    expect(sanitizeUri("\0https://a.b")).toBe("");
    expect(sanitizeUri("\u0000")).toBe("");
  });
});

describe("documentQueueOf", () => {
  test.each([
    ["https://a.example.com/1.json", "example.com"],
    ["HTTP://B.C.Example.COM.:8080/x?y#z", "example.com"],
    [" https://ex\u0001ample.com/\0junk", "example.com"],
    ["https://user:secret@a.evil.test/", "evil.test"],
    ["https://exämple.com/é", "xn--exmple-cua.com"],
    ["http://2130706433/", "127.0.0.1"],
    ["http://1.2.3.4:80/", "1.2.3.4"],
    ["http://[2001:db8:1:2::3]/", "[2001:db8:1::]"],
    ["http://[2001:db8:1:ffff:1:2:3:4]/", "[2001:db8:1::]"],
    ["http://[::1]/", "[0:0:0::]"],
    ["ipfs://bafy/1.json", "ipfs"],
    ["IPFS:bafy", "ipfs"],
    ["ar://id", "arweave"],
    ["data:application/json,{}", "local"],
    ["https://localhost/", "local"],
    [`https://${"a".repeat(249)}.com./`, `${"a".repeat(249)}.com`],
    [`https://${"a".repeat(250)}.com/`, "local"],
    ["https://", "local"],
    ["javascript:1", "local"],
    ["metadata/1.json", "local"],
    ["", "local"],
  ])("%j waits in %s", (uri, queue) => {
    expect(documentQueueOf(uri)).toBe(queue);
  });

  test("names every text, in few characters and without a NUL", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.string({ unit: "binary" })), (uri) => {
        const queue = documentQueueOf(uri);
        expect(queue.length).toBeGreaterThan(0);
        expect(queue).not.toMatch(/\0/);
      }),
    );
  });
});
