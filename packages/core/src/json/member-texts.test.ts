import * as fc from "fast-check";
import { expect, test } from "vitest";
import { storedJson } from "./json-text.ts";
import { editMembers, memberTexts, objectText } from "./member-texts.ts";

type Members = Record<"first" | "second" | "third", unknown>;

/** Some of the members, in any order, with values of any depth and strings of any characters. */
const objects = fc
  .shuffledSubarray(["first", "second", "third"] as const)
  .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.jsonValue()))))
  .map((entries) => Object.fromEntries(entries) as Partial<Members>);

const textOf = (value: unknown) => storedJson<Members>(JSON.stringify(value));

test("members are taken apart and put together again", () => {
  fc.assert(
    fc.property(objects, (object) => {
      const texts = memberTexts(textOf(object));
      for (const [name, text] of texts) expect(text).toBe(JSON.stringify(object[name]));
      expect(objectText(texts)).toBe(textOf(object));
    }),
  );
});

test("an edit changes the members that it names and are there, and nothing else", () => {
  fc.assert(
    fc.property(objects, fc.jsonValue(), (object, value) => {
      const edited = editMembers(textOf(object), {
        second: (own) => storedJson(`[${own},${JSON.stringify(value)}]`),
        third: undefined,
      });
      const expected = "second" in object ? { ...object, second: [object.second, value] } : object;
      expect(edited).toBe(textOf(expected));
    }),
  );
});
