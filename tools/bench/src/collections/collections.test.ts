// The small form of the bench: what is answered is right. Figures of time and memory are left to the bench.
import { expect, test } from "vitest";
import { followCollection } from "./collections.ts";

const MEMBERS = 300;
const SLOTS = 40;

test("a collection that changes in every slot changes no member, and searches agree with documents", async () => {
  const { differing, documents, written } = await followCollection(MEMBERS, SLOTS, () => undefined);
  expect(differing).toBe(0);
  // Ten samples at each of three commitments, every one of all members.
  expect(documents).toBe(10 * 3 * MEMBERS);
  expect(new Set(written)).toEqual(new Set([1]));
});
