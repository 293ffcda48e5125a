import { describe, expect, test } from "vitest";
import { DumpFault, parseAccountDump } from "./parse-account-dump.ts";

const system = "11111111111111111111111111111111";
const good = { pubkey: system, owner: system, lamports: 5, executable: false, rentEpoch: "0", data: "AQID" };

const faultOf = (change: object): string | null => {
  try {
    parseAccountDump({ ...good, ...change }, 1);
    return null;
  } catch (error) {
    if (!(error instanceof DumpFault)) throw error;
    return error.message;
  }
};

describe("parseAccountDump", () => {
  test.each([
    [{}, null],
    [{ space: 3 }, null],
    [{ lamports: 2n ** 64n - 1n }, null],
    [{ data: ["AQID", "base64"] }, null],
    [{ data: "" }, null],
    [{ something: "else" }, null],
    [{ space: 4 }, "space is 4 but data has 3 bytes"],
    [{ data: undefined }, "data is missing"],
    [{ data: 5 }, 'data must be base64 text or [text, "base64"], got 5'],
    [{ data: ["AQID"] }, 'data must be base64 text or [text, "base64"], got an array'],
    [{ data: ["AQID", "base58"] }, 'data must be in base64, got encoding "base58"'],
    [{ data: "AQI" }, "data is not valid base64"],
    [{ data: "AQI=D" }, "data is not valid base64"],
    [{ data: "AQ-_" }, "data is not valid base64"],
    [{ data: "AR==" }, "data is not valid base64"],
    [{ data: "AQID\n" }, "data is not valid base64"],
    [{ lamports: undefined }, "lamports is missing"],
    [{ lamports: -1 }, "lamports is -1, outside 0 to 18446744073709551615"],
    [
      { lamports: "18446744073709551616" },
      "lamports is 18446744073709551616, outside 0 to 18446744073709551615",
    ],
    [{ lamports: 1.5 }, "lamports must be a whole number, got 1.5"],
    [{ lamports: "05" }, 'lamports must be a whole number, got "05"'],
    [{ rentEpoch: null }, "rentEpoch must be a whole number, got null"],
    [{ executable: 0 }, "executable must be true or false, got 0"],
    [{ owner: "abc" }, 'owner "abc" is not an address: WrongSize'],
    [{ pubkey: `${system}0` }, `pubkey "${system}0" is not an address: Invalid`],
    [{ pubkey: 7 }, "pubkey must be base58 text, got 7"],
    [{ slot: 2n ** 60n }, `slot is ${2n ** 60n}, outside 0 to 9007199254740991`],
    [{ account: [] }, "account must be an object, got an array"],
  ])("of %o answers fault %j", (change, fault) => {
    expect(faultOf(change)).toBe(fault);
  });

  test("holds data to the largest account of the chain", () => {
    const full = Buffer.alloc(10 * 1024 * 1024).toString("base64");
    expect(faultOf({ data: full })).toBeNull();
    expect(faultOf({ data: Buffer.alloc(10 * 1024 * 1024 + 1).toString("base64") })).toMatch(
      /more than the 10485760/,
    );
  });

  test.each([null, 5, "x", [], undefined])("refuses %j as an account", (value) => {
    expect(() => parseAccountDump(value, 1)).toThrow("the account must be an object");
  });
});
