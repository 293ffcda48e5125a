import { expect, test } from "vitest";
import { contentText } from "./content-text.ts";
import { ParsedDocuments } from "./parsed-documents.ts";

test("a document is parsed again only when its text has changed", () => {
  const documents = new ParsedDocuments();
  const first = documents.parse("a", '{"description":"one"}');
  expect(first).toEqual({ description: "one" });
  expect(documents.parse("a", '{"description":"one"}')).toBe(first);
  expect(documents.parse("b", '{"description":"one"}')).not.toBe(first);
  const changed = documents.parse("a", '{"description":"two"}');
  expect(changed).toEqual({ description: "two" });
  expect(documents.parse("a", '{"description":"two"}')).toBe(changed);
  expect(documents.parse("c", "no JSON")).toBeUndefined();
});

test("the least recently used gives way", () => {
  const documents = new ParsedDocuments(10);
  const a = documents.parse("a", "[1]");
  const b = documents.parse("b", "[2]");
  expect(documents.parse("a", "[1]")).toBe(a);
  documents.parse("c", "[3]");
  expect(documents.parse("a", "[1]")).toBe(a);
  expect(documents.parse("b", "[2]")).not.toBe(b);
  // Larger than all that is kept: nothing stays, and the next is parsed as before.
  const large = documents.parse("d", "[1,2,3,4,5,6]");
  expect(documents.parse("d", "[1,2,3,4,5,6]")).not.toBe(large);
});

test("what a document adds to every asset is written once", () => {
  let reads = 0;
  const document = {
    get attributes() {
      reads += 1;
      return [{ trait_type: "a", value: 1 }];
    },
    description: "d",
  };
  const chain = { name: "A", symbol: "", jsonUri: "u", tokenStandard: null };
  const first = contentText(chain, document);
  expect(reads).toBe(1);
  expect(contentText({ ...chain, name: "B", tokenStandard: "NonFungible" }, document)).toBe(
    first.replace('"name":"A","symbol":""', '"name":"B","symbol":"","token_standard":"NonFungible"'),
  );
  expect(reads).toBe(1);
});
