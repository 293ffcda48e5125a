import { expect, test } from "vitest";
import { type ProbeText, SharedAnswers } from "./shared-answers.ts";

const leaver = (): void => undefined;

const answer = (body: string): ProbeText => ({ status: 200, contentType: "text/plain", body });

test("an answer is for all who ask before it is asked for, and later ones share the next", async () => {
  let asked = 0;
  const taken: string[] = [];
  const answers = new SharedAnswers(() => void asked++);
  const take = ({ body }: ProbeText): void => void taken.push(body);
  answers.add((one) => take(one));
  answers.add((one) => take(one));
  answers.add((one) => take(one));
  answers.onAnswer(answer("first"));
  expect([asked, taken]).toEqual([1, ["first"]]);
  await expect.poll(() => asked).toBe(2);
  answers.onAnswer(answer("second"));
  expect(taken).toEqual(["first", "second", "second"]);
});

test("an answer that does not come is asked for again once all have left it", () => {
  let asked = 0;
  const taken: string[] = [];
  const answers = new SharedAnswers(() => void asked++);
  answers.add(leaver);
  answers.add(({ body }) => void taken.push(body));
  expect(asked).toBe(1);
  answers.remove(leaver);
  expect(asked).toBe(2);
  answers.onAnswer(answer("late"));
  expect(taken).toEqual(["late"]);
});
