import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { inspectText } from "./inspect-text.ts";

describe("inspectText", () => {
  test.each([
    ['{"id":1,"method":"a"}', null],
    ['{"id":1,"id":2}', new Map([[0, "id"]])],
    ['{"id":1,"params":{"id":2,"method":3},"method":"a"}', null],
    ['{ "id" : 1 , "\\u0069d" : 2 }', new Map([[0, "id"]])],
    ['{"id":"method","method":"id"}', null],
    ['{"id":"\\"","method":"\\\\","id":1}', new Map([[0, "id"]])],
  ])("finds members given twice in %s", (text, expected) => {
    expect(inspectText(text, false).repeated).toEqual(expected);
  });

  test("shows which request of a batch gives a member twice", () => {
    const text = '[{"id":1,"method":"a"},5,[1,2],{"id":1,"method":"a","method":"b"},{"id":1,"method":"a"}]';
    expect(inspectText(text, true).repeated).toEqual(new Map([[3, "method"]]));
  });

  test("measures nesting as it stands, regardless of what strings hold", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(inspectText(text, false).depth).toBe(depthOf(JSON.parse(text)));
      }),
    );
  });

  test("finds no repetition in what a serialiser wrote", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), { minLength: 1 }),
        (requests) => {
          expect(inspectText(JSON.stringify(requests), true).repeated).toBeNull();
        },
      ),
    );
  });
});

const depthOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

describe("numbers that JavaScript may not hold", () => {
  test.each(["1.0", "1e400", "-0", "-1", "12345678901234567", "[1,2.5]", '{"a":{"b":1E2}}', " 1e1\n"])(
    "are found in %s",
    (text) => expect(inspectText(text, false).hasInexactNumber).toBe(true),
  );
  test.each(["0", "[123456789012345,7]", '{"id":1,"params":["1.5e9",0]}', '"-0"', "[true,null,false]"])(
    "are not seen in %s",
    (text) => expect(inspectText(text, false).hasInexactNumber).toBe(false),
  );
});
