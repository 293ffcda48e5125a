import * as TJS from "typescript-json-schema";
import type { Schema } from "@lamplight/docs/build";
import { brokenInvariant } from "@lamplight/errors";
import { normalForm, type NormalForm } from "./normal-form.ts";

const { buildGenerator, getProgramFromFiles } = (TJS as unknown as { default: typeof TJS }).default;

/** The values that each of the named types of a file allows. @throws when the file does not compile */
export const formsOfTypes = (file: string, names: readonly string[]): ReadonlyMap<string, NormalForm> => {
  const program = getProgramFromFiles([file], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    // Types of browsers and of Node would take most of the time.
    lib: ["es2022"],
    types: [],
    module: "nodenext",
    moduleResolution: "nodenext",
  } as unknown as TJS.CompilerOptions);
  const generator = buildGenerator(program, {
    required: true,
    noExtraProps: true,
    strictNullChecks: true,
    aliasRef: true,
    topRef: true,
  });
  if (generator === null) throw brokenInvariant(`${file} does not compile`);
  const { definitions } = generator.getSchemaForSymbols([...names]) as unknown as {
    definitions: { [name: string]: Schema };
  };
  const resolve = (reference: string): Schema => {
    const name = decodeURIComponent(reference.replace("#/definitions/", ""));
    const schema = definitions[name];
    if (schema === undefined) throw brokenInvariant(`no definition ${name}`);
    return schema;
  };
  return new Map(names.map((name) => [name, normalForm(definitions[name]!, resolve)]));
};
