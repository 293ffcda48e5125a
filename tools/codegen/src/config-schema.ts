// Writes lamplight.config.schema.json and the validator of configuration files from the server's configuration type. Run
// by the server's `generate` script.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as TJS from "typescript-json-schema";

import { emitConfigValidator } from "./emit-config-validator.ts";

const { buildGenerator, getProgramFromFiles } = (TJS as unknown as { default: typeof TJS }).default;

const server = new URL("../../../packages/server/", import.meta.url);
const entry = fileURLToPath(new URL("src/config/lamplight-config.ts", server));
const target = fileURLToPath(new URL("lamplight.config.schema.json", server));

const program = getProgramFromFiles([entry], { strict: true, noEmit: true }, fileURLToPath(server));
const generator = buildGenerator(program, { required: true, noExtraProps: true, strictNullChecks: true });
if (generator === null) throw new Error(`${entry} does not compile`);

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title:
    "Lamplight configuration. Generated from packages/server/src/config/lamplight-config.ts; do not edit.",
  ...generator.getSchemaForSymbol("LamplightConfig"),
};
writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
// Formatted like every other file here, so that formatting and generating leave the same bytes.
execFileSync(fileURLToPath(new URL("../../../node_modules/.bin/oxfmt", import.meta.url)), [target]);
const generated = new URL("src/config/generated/", server);
mkdirSync(generated, { recursive: true });
writeFileSync(new URL("validate-config.ts", generated), emitConfigValidator(schema));
