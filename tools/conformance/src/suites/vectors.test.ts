import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import { runSuite } from "../run-suite.ts";
import { judgeParamAnswer } from "./vector-params.ts";
import { openVectorSuite } from "./vectors.ts";

const reply = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", result: { value: null }, id });
const refusal = (code: number, message: string): string =>
  `{"jsonrpc":"2.0","error":{"code":${code},"message":"${message}"},"id":1}`;

describe("judgeParamAnswer", () => {
  const batch = {
    accepted: true,
    requestText: "[]",
    batchAnswerShape: [{ id: 1 }, { id: "two" }],
  };

  test("compares the ids of a batch, each at its place", () => {
    expect(judgeParamAnswer(batch, `[${reply(1)},${reply("two")}]`)).toEqual([]);
    expect(judgeParamAnswer(batch, `[${reply(1)},${reply(1)}]`)).toEqual(['/1/id: expected "two", got 1']);
    expect(judgeParamAnswer(batch, `[${reply("two")},${reply(1)}]`)).toHaveLength(2);
    expect(judgeParamAnswer(batch, `[${reply(1)},{"result":null}]`)).toHaveLength(1);
  });

  test("takes neither fewer replies nor one without a list for a batch", () => {
    expect(judgeParamAnswer(batch, `[${reply(1)}]`)).toHaveLength(1);
    expect(judgeParamAnswer({ ...batch, batchAnswerShape: [{ id: 1 }] }, reply(1))).toHaveLength(1);
    expect(judgeParamAnswer(batch, "")).toEqual(["expected an answer, got an empty body"]);
  });

  test("compares the id of a single call with the request's", () => {
    const call = { accepted: true, requestText: '{"jsonrpc":"2.0","id":18446744073709551615,"method":"m"}' };
    expect(judgeParamAnswer(call, '{"jsonrpc":"2.0","result":1,"id":18446744073709551615}')).toEqual([]);
    expect(judgeParamAnswer(call, '{"jsonrpc":"2.0","result":1,"id":18446744073709551614}')).toHaveLength(1);
    expect(judgeParamAnswer(call, '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"},"id":1}')).toEqual(
      [expect.stringContaining("expected to be accepted")],
    );
  });

  test("compares code and id of a refusal, and the words that clients match on", () => {
    const vector = { accepted: false, httpBodyText: refusal(-32602, "Invalid param: WrongSize") };
    expect(judgeParamAnswer(vector, refusal(-32602, "Invalid param: WrongSize"))).toEqual([]);
    expect(judgeParamAnswer(vector, refusal(-32602, "Invalid param: other"))).toHaveLength(1);
    expect(judgeParamAnswer(vector, refusal(-32601, "Invalid param: WrongSize"))).toHaveLength(1);
    expect(judgeParamAnswer(vector, reply(1))).not.toEqual([]);
    expect(judgeParamAnswer({ accepted: false, httpBodyText: "" }, "")).toEqual([]);
    expect(judgeParamAnswer({ accepted: false, httpBodyText: "" }, reply(1))).toHaveLength(1);
  });
});

/** One vector of each kind with its right answer, and one with a wrong one. */
const vectorFiles = {
  numbers: {
    floats: [
      {
        ieee754BitsHex: "3ff38be7e0000000",
        jsonText: "1.2216566801071167",
        displayText: "1.2216566801071167",
      },
      { ieee754BitsHex: "3ff8000000000000", jsonText: "1.5", displayText: "1.50" },
    ],
    amounts: [
      {
        amount: "1500",
        decimals: 3,
        expectedText: '{"amount":"1500","decimals":3,"uiAmount":1.5,"uiAmountString":"1.5"}',
      },
      { amount: "1", decimals: 0, expectedText: "1" },
    ],
  },
  params: {
    cases: [
      {
        case: "right",
        accepted: true,
        requestText: `[{"jsonrpc":"2.0","id":7,"method":"getAccountInfo","params":["${"1".repeat(32)}"]}]`,
        batchAnswerShape: [{ id: 7 }],
      },
      {
        case: "wrong",
        accepted: true,
        requestText: `[{"jsonrpc":"2.0","id":7,"method":"getAccountInfo","params":["${"1".repeat(32)}"]}]`,
        batchAnswerShape: [{ id: 8 }],
      },
    ],
  },
  records: {
    cases: [
      {
        case: "right",
        program: "nonce",
        address: "4".repeat(44),
        dataRecipe: "u32 1; u32 1; 64 bytes all zero except byte 31 = 0x02; u64 5000",
        expectedParsedText: `{"info":{"authority":"${"1".repeat(31)}3","blockhash":"${"1".repeat(32)}","feeCalculator":{"lamportsPerSignature":"5000"}},"type":"initialized"}`,
      },
      { case: "wrong", program: "nonce", address: "4".repeat(44), dataBase64: "", expectedParsedText: "{}" },
    ],
  },
};

describe("openVectorSuite", () => {
  test("passes what is right and fails what is wrong, in every kind of file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-vectors-"));
    for (const [name, content] of Object.entries(vectorFiles))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
    const suite = await openVectorSuite(folder, () => Lab.open(null));
    const options = { suite: "vectors", only: null, overruled: [], onOutcome: () => {} };
    const outcomes = await runSuite(suite, options);
    rmSync(folder, { recursive: true });
    expect(outcomes.map(({ name, status }) => [name, status])).toEqual([
      ["numbers/float 3ff38be7e0000000", "passed"],
      ["numbers/float 3ff8000000000000", "failed"],
      ["numbers/amount 1500 with 3 decimals", "passed"],
      ["numbers/amount 1 with 0 decimals", "failed"],
      ["params/right", "passed"],
      ["params/wrong", "failed"],
      ["records/nonce right", "passed"],
      ["records/nonce wrong", "failed"],
    ]);
  });
});
