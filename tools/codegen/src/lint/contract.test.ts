import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { type Contract, referenceOf, type Schema } from "@lamplight/docs/build";
import { mapSchemas } from "../emit-helpers.ts";
import { readContract, readWrittenContract } from "../read-contract.ts";
import { readDasContract } from "../read-das-contract.ts";
import { lintContract } from "./lint-contract.ts";
import { openRpcFaults } from "./meta-schema.ts";

/** Any member may be there, and any may be changed. */
interface Loose {
  [member: string | number]: Loose | undefined;
}

/** The contract with one thing changed. */
const changed = (change: (contract: Loose) => void): Contract => {
  const copy = structuredClone(readContract());
  change(copy as unknown as Loose);
  return copy;
};

const shared = process.env["LAMPLIGHT_SHARED"] ?? new URL("../../../../../shared", import.meta.url).pathname;
const reservedFile = join(shared, "facts/solana-reserved-error-codes.json");
const hasReserved = existsSync(reservedFile);
if (!hasReserved) console.warn(`skipped: ${reservedFile} is missing, reserved error codes are not compared`);

describe("openrpc.json", () => {
  test("holds no recorded example", () => {
    const text = JSON.stringify(readWrittenContract());
    expect(text).toContain('"openrpc"');
    for (const member of ["examples", "x-by-name-examples", "x-error-examples", "x-refused-requests"])
      expect(text).not.toContain(`"${member}":`);
  });

  test.skipIf(!hasReserved)("gives no code a meaning that Solana clients know differently", () => {
    const reserved = (JSON.parse(readFileSync(reservedFile, "utf8")) as { codes: { [code: string]: string } })
      .codes;
    const own = Object.values(readContract().components.errors)
      .filter(({ code }) => reserved[code] !== undefined)
      .map(({ code, message }) => [reserved[code]!.replace("server_error_", ""), message] as const);
    expect(new Map(own)).toEqual(
      new Map([
        ["parse_error", "Parse error"],
        ["invalid_request", "Invalid request"],
        ["method_not_found", "Method not found"],
        ["invalid_params", "Invalid params"],
        ["internal_error", "Internal error"],
        ["min_context_slot_not_reached", "Minimum context slot has not been reached"],
      ]),
    );
  });
});

describe.each([
  ["openrpc.json", readContract()],
  ["packages/das/openrpc.json", readDasContract()],
])("the contract of %s", (_, contract) => {
  test("is valid OpenRPC", () => {
    expect(openRpcFaults(contract)).toEqual([]);
  });

  test("follows our own rules", () => {
    expect(lintContract(contract)).toEqual([]);
  });

  test("answers in every example as its result schema says", () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    const definitions = Object.fromEntries(
      Object.entries(contract.components.schemas).map(([name, schema]) => [name, plain(schema)]),
    );
    for (const { name, result, examples } of contract.methods) {
      const validate = ajv.compile({ $defs: definitions, ...plain(result.schema) });
      for (const example of examples) {
        validate(example.result.value);
        expect(validate.errors ?? [], `${name}, ${example.name}`).toEqual([]);
      }
    }
  });
});

const plain = (schema: Schema): Schema =>
  mapSchemas(schema, (one) => {
    const reference = referenceOf(one);
    if (reference !== null) return { $ref: `#/$defs/${reference}` };
    const { format: _format, ...rest } = one;
    return rest;
  });

describe("openRpcFaults", () => {
  test("names a member that OpenRPC does not know", () => {
    const contract = changed((one) => {
      one["methods"]![0]!["bogus"] = 1 as never;
    });
    expect(openRpcFaults(contract).join()).toContain("/methods/0");
  });
});

describe("lintContract", () => {
  const cases: readonly (readonly [string, (contract: Loose) => void, string])[] = [
    [
      "a method without paragraphs",
      (contract) => void (contract["methods"]![0]!["description"] = "Short." as never),
      "getNftEditions: the description has fewer than 3 paragraphs",
    ],
    [
      "a tag without a guide",
      (contract) => void delete contract["methods"]![0]!["tags"]![0]!["externalDocs"],
      "getNftEditions, tag assets: has no description or no guide",
    ],
    [
      "an optional parameter that does not say what null means",
      (contract) =>
        void (contract["methods"]![0]!["params"]![1]!["description"] = "Number of the page." as never),
      "getNftEditions page: does not say what null means",
    ],
    [
      "a wrong title",
      (one) => void (one["components"]!["schemas"]!["Asset"]!["title"] = "X" as never),
      "title",
    ],
    [
      "a member without description",
      (one) => delete one["components"]!["schemas"]!["Edition"]!["properties"]!["edition"]!["description"],
      "schema Edition.edition: has no description",
    ],
    [
      "an optional parameter that refuses null",
      (one) => void (one["methods"]![0]!["params"]![1]!["schema"] = { type: "integer" } as never),
      "getNftEditions page: must allow null",
    ],
    [
      "a method without example",
      (one) => void (one["methods"]![2]!["examples"] = [] as never),
      "has no example",
    ],
    [
      "an unknown x-member",
      (one) => void (one["methods"]![0]!["params"]![0]!["x-alias"] = ["m"] as never),
      "x-alias is unknown",
    ],
    [
      "a malformed x-member",
      (one) => void (one["methods"]![0]!["params"]![0]!["x-aliases"] = "m" as never),
      "x-aliases is unknown there or not well-formed",
    ],
    [
      "a code that account clients break on",
      (one) =>
        void (one["methods"]![3]!["errors"] as unknown as unknown[]).push({
          $ref: "#/components/errors/NotCovered",
        }),
      "must not answer -32068",
    ],
    [
      "a schema nothing refers to",
      (one) =>
        void (one["components"]!["schemas"]!["Lost"] = {
          title: "Lost",
          type: "string",
          description: "Lost.",
        } as never),
      "schema Lost: nothing refers to it",
    ],
    [
      "an error without meaning",
      (one) => void (one["components"]!["errors"]!["New"] = { code: -32069, message: "New" } as never),
      "error New: x-errors",
    ],
  ];
  test.each(cases)("names %s", (_what, change, sentence) => {
    expect(lintContract(changed(change)).join("\n")).toContain(sentence);
  });
});
