import { describe, expect, test } from "vitest";
import { ROWS_PER_TURN_MAX } from "./limits.ts";
import { parseInTurns } from "./parse-in-turns.ts";
import { parseAnswer } from "./rpc-client.ts";

const row = (index: number): string => {
  const account = `{"data":["AQID","base64"],"lamports":18446744073709551615,"rentEpoch":${index},"owner":"x"}`;
  return index % 2 === 0
    ? `{"account":${account},"pubkey":"k${index}"}`
    : `{"pubkey":"k${index}","account":${account}}`;
};

const keyOf = (each: unknown): unknown => (each as { readonly pubkey: string }).pubkey;

const answer = (rows: string): string =>
  `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"3","slot":5},"value":[${rows}]},"id":7}`;

describe("parseInTurns", () => {
  test.each([
    0,
    1,
    2,
    ROWS_PER_TURN_MAX - 1,
    ROWS_PER_TURN_MAX,
    ROWS_PER_TURN_MAX + 1,
    3 * ROWS_PER_TURN_MAX + 7,
  ])("%i accounts are what they are in one go", async (count) => {
    const text = answer(Array.from({ length: count }, (_, index) => row(index)).join(","));
    expect(await parseInTurns(text)).toEqual(parseAnswer(text));
  });

  test.each([
    ["a list without context", '{"jsonrpc":"2.0","result":[1,2],"id":7}'],
    ["an error", '{"jsonrpc":"2.0","error":{"code":-32601,"message":"no \\"value\\":[{ here"},"id":7}'],
    ["an error that quotes a list", '{"error":{"code":1,"message":"x","data":{"value":[{"a":{}}]}},"id":7}'],
    ["other rows", answer('{"a":{"b":{}}},{"c":1}')],
    ["rows of nothing", answer("null,null")],
    ["white space", answer(` ${row(1)} , ${row(2)} `)],
  ])("%s is parsed all the same", async (_, text) => {
    expect(await parseInTurns(text)).toEqual(parseAnswer(text));
  });

  test.each([
    ["in turns", [row(0), row(1), row(2)].join(",")],
    ["in one step", ` ${row(0)} , ${row(1)} , ${row(2)} `],
  ])("of rows parsed %s, a part is kept", async (_, rows) => {
    expect(await parseInTurns(answer(rows), undefined, keyOf)).toMatchObject({
      result: { value: ["k0", "k1", "k2"] },
    });
  });

  test("what is cut off anywhere is no answer", async () => {
    const text = answer([row(1), row(2), row(3)].join(","));
    for (let length = 0; length < text.length; length += 1) {
      await expect(parseInTurns(text.slice(0, length))).rejects.toThrow(SyntaxError);
    }
  });
});
