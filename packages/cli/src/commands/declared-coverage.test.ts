import { describe, expect, test } from "vitest";
import { dumpCoverage, parseDeclaration, widenCoverage } from "./declared-coverage.ts";

const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const system = "11111111111111111111111111111111";
const filtered = (programs: string[], mints: string[] = []) =>
  ({ kind: "filtered", programs, owners: [], mints, collections: [] }) as const;

describe("parseDeclaration", () => {
  test("takes a dump as its addresses unless more is declared", () => {
    expect(parseDeclaration([])).toEqual({ ...filtered([]), dumps: true });
    expect(parseDeclaration(["whole"])).toEqual({ kind: "whole" });
    expect(parseDeclaration(["nothing"])).toBeNull();
    expect(parseDeclaration([`program:${token}`, `mint:${system}`])).toEqual(filtered([token], [system]));
  });

  test.each(["half", "program", "program:abc", `wallet:${token}`, "whole,nothing"])("refuses %j", (word) => {
    expect(() => parseDeclaration([word])).toThrow("--covers takes whole");
  });

  test.each([
    ["whole", ["whole", "nothing"]],
    ["nothing", ["nothing", "whole"]],
    ["whole", ["whole", "whole"]],
    ["whole", ["whole", `program:${token}`]],
    ["nothing", [`program:${token}`, "nothing"]],
  ])("refuses %s beside another declaration: %j", (word, words) => {
    expect(() => parseDeclaration(words)).toThrow(
      `--covers ${word} must be the only --covers: leave out the others, or leave out ${word}`,
    );
  });
});

describe("widenCoverage", () => {
  test("never makes a store hold less than it did", () => {
    expect(widenCoverage({ kind: "whole" }, filtered([token]))).toEqual({ kind: "whole" });
    expect(widenCoverage({ kind: "whole" }, null)).toEqual({ kind: "whole" });
    expect(widenCoverage(filtered([token]), null)).toEqual(filtered([token]));
    expect(widenCoverage(filtered([token]), filtered([token, system]))).toEqual(filtered([token, system]));
    expect(widenCoverage(filtered([token]), { kind: "whole" })).toEqual({ kind: "whole" });
    expect(widenCoverage({ kind: "whole" }, dumpCoverage)).toEqual({ kind: "whole" });
    expect(widenCoverage(dumpCoverage, filtered([token]))).toEqual({ ...filtered([token]), dumps: true });
    expect(widenCoverage(filtered([token]), dumpCoverage)).toEqual({ ...filtered([token]), dumps: true });
  });
});
