import { parseExact } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import type { Answer, Endpoint, Outcome } from "@lamplight/sources/endpoint";
import { compareCall } from "./compare-call.ts";
import { compareValues } from "./compare-values.ts";

const call = { method: "getAccountInfo", params: ["x"] };

/** Answers the nth question with the nth answer, and the last one from then on. */
const scripted = (...answers: readonly (readonly [slot: bigint | null, outcome: Outcome])[]): Endpoint => {
  let count = 0;
  return {
    name: "scripted",
    call: async (): Promise<Answer> => {
      const [slot, outcome] = answers[Math.min(count, answers.length - 1)]!;
      count += 1;
      return { slot, outcome, notes: [] };
    },
    close: async () => {},
  };
};

const ok = (text: string): Outcome => ({ ok: true, result: parseExact(text) });
const refused = (code: number, message: string, data?: unknown): Outcome => ({
  ok: false,
  error: { code, message, data },
});

describe("comparing two values", () => {
  test.each([
    ['{"a":[1,2],"b":18446744073709551615}', '{"b":18446744073709551615,"a":[1,2]}', []],
    ["18446744073709551615", "18446744073709551614", [""]],
    ['{"a":{"b/c":1}}', '{"a":{"b/c":2}}', ["/a/b~1c"]],
    ["[1,2,3]", "[1,3]", ["/1", "/2"]],
    ['{"a":null}', "{}", ["/a"]],
    ['{"a":{}}', '{"a":[]}', ["/a"]],
    ['{"a":1.0}', '{"a":1.0}', []],
    ['{"a":1.0}', '{"a":1}', ["/a"]],
    ["{}", '{"constructor":1}', ["/constructor"]],
  ])("%s and %s differ at %j", (ours, theirs, places) => {
    expect(compareValues(parseExact(ours), parseExact(theirs)).map(({ at }) => at)).toEqual(places);
  });
});

describe("known differences", () => {
  test.each([
    ['{"context":{"slot":1,"apiVersion":"4.1.0"},"value":1}', '{"context":{"slot":2},"value":1}', 2],
    ["null", '{"context":{"slot":5},"value":null}', 1],
    ['{"value":{"data":["AQI=","base64"]}}', '{"value":{"data":"5T"}}', 1],
    ['{"value":{"uiAmount":1.0}}', '{"value":{"uiAmount":1}}', 1],
    ['{"total":5,"items":[]}', '{"total":3,"items":[]}', 1],
    ['{"plugins":{}}', "{}", 1],
  ])("%s and %s are equal apart from %s", async (ours, theirs, count) => {
    const found = await compareCall(scripted([5n, ok(ours)]), scripted([5n, ok(theirs)]), call);
    expect(found).toMatchObject({ verdict: "equal", differences: [] });
    expect(found.known).toHaveLength(count);
  });

  test.each([
    ['{"value":{"data":["AQI=","base64"]}}', '{"value":{"data":"5U"}}', "/value/data"],
    ["null", '{"context":{"slot":5},"value":{"lamports":1}}', ""],
    ['{"value":{"uiAmount":1.0}}', '{"value":{"uiAmount":2}}', "/value/uiAmount"],
    ['{"plugins":{"a":1}}', '{"plugins":{"a":2}}', "/plugins/a"],
    ['{"items":[{"total":5}]}', '{"items":[{"total":3}]}', "/items/0/total"],
  ])("%s and %s are different", async (ours, theirs, at) => {
    const found = await compareCall(scripted([5n, ok(ours)]), scripted([5n, ok(theirs)]), call);
    expect(found).toMatchObject({ verdict: "different", slot: 5n, differences: [{ at }] });
  });
});

describe("two servers at different slots", () => {
  test("a lagging server is compared with what the other answered at its slot", async () => {
    const ours = scripted([10n, ok("1")], [11n, ok("2")], [12n, ok("3")], [13n, ok("4")]);
    const theirs = scripted([8n, ok("0")], [9n, ok("0")], [10n, ok("1")]);
    expect(await compareCall(ours, theirs, call)).toMatchObject({ verdict: "equal", slot: 10n });
    const wrong = scripted([8n, ok("0")], [9n, ok("0")], [10n, ok("7")]);
    const moving = scripted([10n, ok("1")], [11n, ok("2")], [12n, ok("3")], [13n, ok("4")]);
    expect(await compareCall(moving, wrong, call)).toMatchObject({
      verdict: "different",
      slot: 10n,
      differences: [{ at: "", ours: 1, theirs: 7 }],
    });
  });

  test("without a common slot it says so", async () => {
    const found = await compareCall(scripted([9n, ok("1")]), scripted([7n, ok("2")]), call, { waitMs: 300 });
    expect(found).toMatchObject({
      verdict: "no common slot",
      slot: null,
      note: "answers were at slots 9 and 7",
    });
  });

  test("equal answers need no common slot, and a server without slots is asked again", async () => {
    expect(await compareCall(scripted([9n, ok("1")]), scripted([7n, ok("1")]), call)).toMatchObject({
      verdict: "equal",
      slot: null,
    });
    const late = scripted([null, ok("1")], [null, ok("2")]);
    expect(await compareCall(scripted([9n, ok("2")]), late, call)).toMatchObject({ verdict: "equal" });
    const other = scripted([null, ok("1")]);
    expect(await compareCall(scripted([9n, ok("2")]), other, call)).toMatchObject({ verdict: "different" });
  });
});

describe("refusals", () => {
  test("of one code are equal, of two are different", async () => {
    const ours = scripted([5n, refused(-32602, "Invalid param: Invalid")]);
    const same = scripted([5n, refused(-32602, "invalid")]);
    expect(await compareCall(ours, same, call)).toMatchObject({ verdict: "equal" });
    const other = scripted([5n, ok("1")]);
    expect(await compareCall(ours, other, call)).toMatchObject({
      verdict: "different",
      differences: [{ ours: { error: -32602 }, theirs: 1 }],
    });
  });

  test("a method or data that one server lacks is not compared", async () => {
    for (const lacking of [
      refused(-32601, "Method not found"),
      refused(-32068, "Outside"),
      refused(-32602, "Outside", { reason: "STORE__NOT_COVERED" }),
    ]) {
      const found = await compareCall(scripted([5n, ok("1")]), scripted([5n, lacking]), call);
      expect(found).toMatchObject({ verdict: "not served", differences: [] });
      expect(found.note).toContain("the other server");
    }
  });
});
