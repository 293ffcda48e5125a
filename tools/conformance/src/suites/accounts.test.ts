import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Lab } from "../lab.ts";
import { runSuite } from "../run-suite.ts";
import { openAccountSuite } from "./accounts.ts";

const pubkey = `${"1".repeat(31)}3`;
const dump = {
  pubkey,
  account: {
    lamports: 5,
    data: ["AQID", "base64"],
    owner: "1".repeat(32),
    executable: false,
    rentEpoch: 0,
    space: 3,
  },
};
const requests = [{ method: "getAccountInfo", params: [pubkey, { encoding: "base64" }] }];
const refused = [{ method: "getAccountInfo", params: ["no address"] }];
const expectations = [
  {
    case: "right",
    requests,
    via: "resolves",
    matcher: "toMatchObject",
    expected: [{ value: { $objectContaining: { lamports: 5 } } }],
  },
  {
    case: "wrong",
    requests,
    via: "resolves",
    matcher: "toMatchObject",
    expected: [{ value: { $objectContaining: { lamports: 6 } } }],
  },
  { case: "part", requests, matcher: "toBe", expected: ["AQID"] },
  {
    case: "refused",
    requests: refused,
    via: "rejects",
    matcher: "toThrow",
    expected: [{ $error: { code: -32602 } }],
  },
  {
    case: "not refused",
    requests,
    via: "rejects",
    matcher: "toThrow",
    expected: [{ $error: { code: -32602 } }],
  },
];

test("a folder of dumps is read back, and its expectations are judged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-accounts-"));
  mkdirSync(join(folder, "dumps"));
  writeFileSync(join(folder, "dumps", `${pubkey}.json`), JSON.stringify(dump));
  writeFileSync(join(folder, "expected.json"), JSON.stringify(expectations));
  const suite = await openAccountSuite(folder, () => Lab.open(null));
  const outcomes = await runSuite(suite, {
    suite: "accounts",
    only: null,
    overruled: [],
    onOutcome: () => {},
  });
  rmSync(folder, { recursive: true });
  expect(outcomes.map(({ name, status }) => [name, status])).toEqual([
    [`reads-back/${pubkey}`, "passed"],
    ["expected/right", "passed"],
    ["expected/wrong", "failed"],
    ["expected/part", "passed"],
    ["expected/refused", "passed"],
    ["expected/not refused", "failed"],
  ]);
});
