import { Ajv, type CodeKeywordDefinition, type KeywordCxt, _ } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import {
  type Contract,
  parametersOf,
  isUint64,
  referenceOf,
  type Schema,
  withoutNull,
} from "@lamplight/docs/build";
import { banner, mapSchemas } from "./emit-helpers.ts";
import { paramsSchema } from "./emit-types.ts";

/** u64: a whole number that a double holds exactly, or a bigint within 64 bits. */
const uint64Keyword: CodeKeywordDefinition = {
  keyword: "uint64",
  schemaType: "boolean",
  error: { message: "must be an integer from 0 to 18446744073709551615" },
  code(context: KeywordCxt) {
    const { data } = context;
    context.pass(
      _`(typeof ${data} === "number" && Number.isSafeInteger(${data}) && ${data} >= 0) || (typeof ${data} === "bigint" && ${data} >= 0n && ${data} <= 18446744073709551615n)`,
    );
  },
};

const definitionsId = "https://lamplight.invalid/definitions";

/** Standalone validation code: one function per method, one per parameter; nothing of ajv is needed at run time. */
export const emitValidators = (contract: Contract): string => {
  const ajv = new Ajv({
    code: { source: true, esm: true, optimize: 2 },
    // The first fault is the answer: a list of every fault would cost more than parsing what a caller sent.
    allErrors: false,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    keywords: [uint64Keyword],
    formats: {},
  });
  ajv.addSchema({
    $id: definitionsId,
    $defs: Object.fromEntries(
      Object.entries(contract.components.schemas).map(([name, schema]) => [name, prepare(schema)]),
    ),
  });
  const exported: { [name: string]: string } = {};
  const add = (name: string, schema: Schema): void => {
    const id = `https://lamplight.invalid/${name}`;
    ajv.addSchema({ $id: id, ...prepare(schema) });
    exported[name] = id;
  };
  for (const method of contract.methods) {
    add(method.name, paramsSchema(method));
    for (const parameter of parametersOf(method))
      add(`${method.name}_${parameter.name}`, { allOf: [withoutNull(parameter.schema)] });
  }
  return `${banner}// @ts-nocheck\n/* eslint-disable */\n${standaloneCode.default(ajv, exported)}\n`;
};

/** Say nothing about which values fit; `minimum` is judged by the keyword next to `x-format: uint64`. */
const annotations = new Set(["title", "description"]);

const prepare = (schema: Schema): Schema =>
  mapSchemas(schema, (one) => {
    if (isUint64(one)) return { uint64: true };
    const reference = referenceOf(one);
    if (reference !== null) return { $ref: `${definitionsId}#/$defs/${reference}` };
    return Object.fromEntries(
      Object.entries(one).filter(([keyword]) => !keyword.startsWith("x-") && !annotations.has(keyword)),
    );
  });
