import { expect, test } from "vitest";
import type { Row, Session } from "../engine/session.ts";
import type { ViewHead } from "../queries/read-head.ts";
import { type Caches, SharedCaches } from "./shared-caches.ts";

const headAt = (changeSeq: number, writer = "a"): ViewHead => ({
  slot: changeSeq,
  changeSeq,
  settingsRevision: 0,
  nextOrdinal: 0,
  writer,
  contentSeq: null,
});

const first = headAt(5);

/** A reader that has seen a head, and what it then knew. */
const seen = (): { readonly shared: SharedCaches; readonly caches: Caches } => {
  const shared = new SharedCaches();
  return { shared, caches: shared.at(first, null) };
};

test("keeps what it knows over views that were opened at the same time, in any order of their answers", () => {
  const { shared, caches } = seen();
  const before = shared.seen;
  expect(shared.at(headAt(7), before)).toBe(caches);
  expect(shared.at(headAt(6), before)).toBe(caches);
  expect(shared.at(first, before)).toBe(caches);
  expect(shared.seen).toEqual(headAt(7));
  expect(shared.at(headAt(7), shared.seen)).toBe(caches);
});

test.each([
  ["asked for after a newer one", headAt(6)],
  ["older than one seen before any of them was asked for", headAt(4)],
  ["of another writer", headAt(8, "b")],
])("forgets all at a head that is %s", (_which, head) => {
  const { shared, caches } = seen();
  const before = head.changeSeq === 6 ? headAt(7) : shared.seen;
  shared.at(headAt(7), shared.seen);
  expect(caches.items.at({ changeSeq: 7, contentSeq: 0 }, null as never)).not.toBeNull();
  const next = shared.at(head, before);
  expect(next).not.toBe(caches);
  expect(shared.seen).toBe(head);
  // A view that is still open has nothing, regardless of what it is at.
  for (const changeSeq of [4, 7, 9])
    expect(caches.items.at({ changeSeq, contentSeq: 0 }, null as never)).toBeNull();
  expect(next.items.at({ changeSeq: head.changeSeq, contentSeq: 0 }, null as never)).not.toBeNull();
});

/** A session that answers statements for settings when the test lets it, and counts them. */
const settingsSession = () => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
  let statements = 0;
  const all = (): Promise<readonly Row[]> => {
    statements += 1;
    return promise;
  };
  return { session: { all } as unknown as Session, resolve, reject, statements: () => statements };
};

test("views that need the same settings at once read them once", async () => {
  const { settings } = seen().caches;
  const [one, other] = [settingsSession(), settingsSession()];
  const asked = [settings.at(3, one.session), settings.at(3, other.session)];
  one.resolve([]);
  const found = await Promise.all(asked);
  expect(found[0]).toBe(found[1]);
  expect(other.statements()).toBe(0);
  expect(settings.known(3)).toBe(found[0]);
});

test("the caller of the view that reads them may leave: then another view reads them", async () => {
  const { settings } = seen().caches;
  const [gone, stays] = [settingsSession(), settingsSession()];
  const failed = settings.at(3, gone.session);
  const waiting = [settings.at(3, stays.session), settings.at(3, stays.session)];
  gone.reject(new Error("the caller is gone"));
  await expect(failed).rejects.toThrow("the caller is gone");
  stays.resolve([]);
  const found = await Promise.all(waiting);
  expect(found[0]).toBe(found[1]);
  // One read of settings is three statements.
  expect(stays.statements()).toBe(3);
});
