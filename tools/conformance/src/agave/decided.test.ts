import { expect, test } from "vitest";
import { decisionFor } from "./decided.ts";
import { call } from "./requests/request.ts";

const request = call("parsed", "getAccountInfo", ["a"], { readsClock: true });
const answer = (amount: string, digits: string, decimals = 0): string =>
  `{"result":{"amount":"7","decimals":${decimals},"uiAmount":${amount},"uiAmountString":"${digits}"},"id":1}`;
const theirs = answer("8.005649765309318e+20", "800564976530931843072");
const explained = (ours: string, more: Partial<typeof request> = {}): string | undefined =>
  decisionFor({ request: { ...request, ...more }, ours, theirs })?.name;

test("interest may differ by the last bit of a double", () => {
  expect(explained(answer("8.005649765309317e+20", "800564976530931712000"))).toBe(
    "the last bit of interest",
  );
});

test.each([
  ["in more of the number", answer("8.005649765309307e+20", "800564976530930712000")],
  ["in the text", answer("8.005649765309318e+20", "800564976530930712000")],
  ["in anything else", answer("8.005649765309317e+20", "800564976530931712000", 1)],
  ["in that the amount is missing", '{"result":{"amount":"7","decimals":0},"id":1}'],
])("but not %s", (_, ours) => {
  expect(explained(ours)).toBe(undefined);
});

test("and not where no clock is read", () => {
  const ours = answer("8.005649765309317e+20", "800564976530931712000");
  expect(explained(ours, { readsClock: false })).toBe(undefined);
});
