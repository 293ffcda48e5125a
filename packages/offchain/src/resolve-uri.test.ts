import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offchainLimits } from "./offchain-limits.ts";
import { defaultUriPolicy, resolveUri } from "./resolve-uri.ts";

const cid0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWNvfoX";
const cid1 = "bafybeihaky4htq6obur3ziksyanpdoqmrnefben3dbecddru52xh2sdkii";
const policy = { ...defaultUriPolicy, ipfsGateways: ["https://one.test/ipfs/", "https://two.test/ipfs/"] };
const resolve = (uri: string) => resolveUri(uri, policy, offchainLimits);

const candidates = (uri: string): readonly string[] => {
  const resolved = resolve(uri);
  return resolved.kind === "http" ? resolved.candidates.map(({ href }) => href) : [];
};

describe("resolveUri", () => {
  test.each([
    [
      `ipfs://${cid0}/1.json`,
      [`https://one.test/ipfs/${cid0}/1.json`, `https://two.test/ipfs/${cid0}/1.json`],
    ],
    [`ipfs://ipfs/${cid1}`, [`https://one.test/ipfs/${cid1}`, `https://two.test/ipfs/${cid1}`]],
    [
      `https://nftstorage.link/ipfs/${cid1}/5?x=1`,
      [
        `https://nftstorage.link/ipfs/${cid1}/5?x=1`,
        `https://one.test/ipfs/${cid1}/5?x=1`,
        `https://two.test/ipfs/${cid1}/5?x=1`,
      ],
    ],
    [
      `https://${cid1}.ipfs.dweb.link/5`,
      [
        `https://${cid1}.ipfs.dweb.link/5`,
        `https://one.test/ipfs/${cid1}/5`,
        `https://two.test/ipfs/${cid1}/5`,
      ],
    ],
  ])("%s is looked for at its gateways", (uri, expected) => {
    expect(candidates(uri)).toEqual(expected);
    expect(resolve(uri)).toMatchObject({ immutable: true });
  });

  test("an Arweave link is looked for at every gateway once", () => {
    const id = "JIdaRM9RXQUNhigQ7ochqc3AAVl95uGHAsilhcSMUC4";
    expect(candidates(`https://arweave.net/${id}`)).toEqual([
      `https://arweave.net/${id}`,
      `https://ar-io.net/${id}`,
    ]);
    expect(candidates(`ar://${id}`)).toEqual([`https://arweave.net/${id}`, `https://ar-io.net/${id}`]);
  });

  test("a name in IPNS, a short path and a host of letters are ordinary", () => {
    expect(resolve("https://example.com/ipfs/readme")).toMatchObject({ kind: "http", immutable: false });
    expect(candidates("https://exämple.com/é#part")).toEqual(["https://xn--exmple-cua.com/%C3%A9"]);
  });

  test.each([
    ["", "no scheme"],
    ["//example.com/a", "no scheme"],
    ["example.com/a.json", "no scheme"],
    ["javascript:alert(1)", "scheme javascript is not fetched"],
    ["ipfs://not-a-cid", "ipfs URI without a CID"],
    ["ar://short", "ar URI without an id"],
    [`ipfs://${cid0}/../../api`, "the path leaves its CID or id"],
    [`ipfs://${cid0}/a/..%2f..%2f../b`, "the path leaves its CID or id"],
    [`ipfs://${cid0}\\..\\x`, "the path leaves its CID or id"],
    [`ar://${"A".repeat(43)}/%2e%2e/graphql`, "the path leaves its CID or id"],
    ["https://", "not a URL"],
    ["https://example.com:22/", "port 22 is not allowed"],
    ["https://u@example.com/", "credentials in the URL"],
    [`https://${"a".repeat(250)}.com/`, "host name too long"],
    [`https://example.com/${"a".repeat(2048)}`, "URI too long"],
  ])("refuses %j", (uri, reason) => {
    expect(resolve(uri)).toEqual({ kind: "refused", reason });
  });

  test("never throws, and never answers more candidates than its bound", () => {
    const uri = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.constantFrom(cid0, cid1).map((cid) => `ipfs://${cid}/x`),
    );
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom("", "ipfs:", "ar:", "https://", "data:"), uri),
        ([scheme, rest]) => {
          expect(candidates(scheme + rest).length).toBeLessThanOrEqual(offchainLimits.candidatesMax);
        },
      ),
    );
  });
});
