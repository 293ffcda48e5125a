import { Ajv, type CodeKeywordDefinition, type KeywordCxt, _ } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";

/** Counts UTF-16 units. Ajv's own counts characters, by a function that it would have to bring at run time. */
const minLength: CodeKeywordDefinition = {
  keyword: "minLength",
  type: "string",
  schemaType: "number",
  code(context: KeywordCxt) {
    context.fail(_`${context.data}.length < ${context.schema}`);
  },
};

/** Standalone code of one function that checks a configuration file. Nothing of ajv is needed at run time. */
export const emitConfigValidator = (schema: object): string => {
  // An error names the value and its schema, which the server needs to say what a setting takes.
  const ajv = new Ajv({ code: { source: true, esm: true, optimize: 2 }, strict: true, verbose: true });
  ajv.removeKeyword("minLength").addKeyword(minLength);
  const id = "https://lamplight.invalid/config";
  ajv.addSchema(withoutDescriptions(schema), id);
  const code = standaloneCode.default(ajv, { validateConfig: id });
  return `// Generated from lamplight-config.ts by tools/codegen. Do not edit: run \`npx turbo run generate\`.\n// @ts-nocheck\n/* eslint-disable */\n${code}\n`;
};

const withoutDescriptions = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      typeof value === "string" && (key === "description" || key === "title") ? undefined : value,
    ),
  ) as object;
