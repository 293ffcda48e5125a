import { errorCodes, type PublicError } from "@lamplight/errors";
import { siteFiles } from "@lamplight/docs/build";
import { describe, expect, test } from "vitest";
import { readContract } from "../read-contract.ts";

const STATUS_OK = 200;

const contract = readContract();

const faces = Object.entries(errorCodes).flatMap(([name, definition]) => {
  const { rpc } = definition as { rpc?: PublicError<unknown> };
  return rpc === undefined ? [] : [{ name, rpc }];
});

const byName = (one: readonly unknown[], other: readonly unknown[]): number =>
  String(one[0]).localeCompare(String(other[0]));

describe("the error registry", () => {
  test("is reported in the contract, every error a caller may see: code and HTTP status", () => {
    const reported = Object.entries(contract["x-errors"]).flatMap(([error, { names }]) =>
      Object.entries(names).map(([name, status]) => [name, contract.components.errors[error]!.code, status]),
    );
    const known = faces.map(({ name, rpc }) => [name, rpc.code, rpc.httpStatus ?? STATUS_OK]);
    expect(reported.toSorted(byName)).toEqual(known.toSorted(byName));
  });

  test("is shown on the documentation's page, every error with its code", () => {
    const page = siteFiles().get("errors.html")!;
    const shown = [...page.matchAll(/data-refusal="(\w+)"/g)].map((match) => match[1]!);
    expect(shown.toSorted()).toEqual(faces.map(({ name }) => name).toSorted());
    for (const { code } of Object.values(contract.components.errors))
      expect(page).toContain(`<code>${code}</code>`);
  });
});
