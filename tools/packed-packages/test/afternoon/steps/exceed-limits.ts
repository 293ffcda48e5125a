import { expect } from "vitest";
import type { Answer } from "../afternoon.ts";
import type { Step } from "../step.ts";
import { until } from "../until.ts";

const method = "getLargestAccounts";
// The day allows enough that a slow machine meets the limit of a second before it.
const limits = ["--requests-per-second", "1", "--requests-per-day", "6", "--methods", method];

export const exceedLimits: Step = {
  title: "a key is made with limits, and exceeds each",
  run: async (afternoon) => {
    afternoon.keys.set("acme", await afternoon.succeed("keys", "create", "acme", ...limits));
    const answers = (isLast: (answer: Answer) => boolean): Promise<Answer> =>
      until(async () => {
        const answer = await afternoon.call("acme", method, []);
        return isLast(answer) ? answer : null;
      });
    // Until the server has read its keys again, it does not know this one.
    expect((await answers(({ status }) => status !== 401)).status).toBe(200);
    expectRefused(await answers(({ status }) => status === 429), 429, -32062, "rate");
    expectRefused(await answers(({ text }) => text.includes("quota")), 429, -32063, "quota");
    expectRefused(await afternoon.call("acme", "getAccountInfo", []), 403, -32061, "key");
  },
};

const expectRefused = (answer: Answer, status: number, code: number, reason: string): void => {
  const { error } = JSON.parse(answer.text) as { readonly error: object };
  expect([answer.status, error]).toMatchObject([status, { code, data: { reason } }]);
  expect(answer.headers.get("ratelimit-policy")).toMatch(/"requests-second";q=1;w=1/u);
  expect(answer.headers.get("ratelimit")).toContain('"requests-day";r=');
  const retryAfter = answer.headers.get("retry-after");
  if (status === 429) expect(Number(retryAfter)).toBeGreaterThan(0);
  else expect(retryAfter).toBeNull();
};
