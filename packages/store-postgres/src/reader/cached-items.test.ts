import { ItemCache } from "@lamplight/core";
import { expect, test } from "vitest";
import type { Row, Session } from "../engine/session.ts";
import { CachedItems } from "./cached-items.ts";

/** A session whose answers come when the test says so: nothing decides in which order a server answers two. */
const answeringLater = (changed: readonly number[]): { session: Session; answer: () => void } => {
  const waiting: (() => void)[] = [];
  const all = ({ text }: { readonly text: string }): Promise<readonly Row[]> =>
    new Promise((resolve) => {
      waiting.push(() => resolve(text.includes("change_seq") ? changed.map((ordinal) => [ordinal]) : []));
    });
  return {
    session: { all } as unknown as Session,
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
};

test.each([
  ["first", true],
  ["last", false],
])("two views move the cache on, and the older one is answered %s", async (_which, isFirst) => {
  const items = new CachedItems(new ItemCache());
  const at = async (changeSeq: number, session: Session) => items.at({ changeSeq, contentSeq: 0 }, session);
  const before = (await at(1, null as never))!;
  for (let time = 0; time < 2; time += 1)
    for (const ordinal of [1, 2, 3]) before.add(ordinal, Buffer.from("item"), 0, 4);

  const older = answeringLater([1]);
  const newer = answeringLater([1, 2]);
  const ofOlder = at(2, older.session);
  const ofNewer = at(3, newer.session);
  const [one, other] = isFirst ? [older, newer] : [newer, older];
  one.answer();
  const early = await (isFirst ? ofOlder : ofNewer);
  expect(early?.find(3)).toBeDefined();
  expect(early?.find(1)).toBeUndefined();
  other.answer();
  // It was not asked what changed since where the cache now is.
  expect(await (isFirst ? ofNewer : ofOlder)).toBeNull();
  // The cache stays where the first answer took it.
  expect(await at(isFirst ? 2 : 3, null as never)).toBe(early);
  expect(early?.find(3)).toBeDefined();
});
