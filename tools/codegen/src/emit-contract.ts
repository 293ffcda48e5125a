import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "@lamplight/docs/build";
import { banner } from "./emit-helpers.ts";
import { emitMethods } from "./emit-methods.ts";
import { emitTypes } from "./emit-types.ts";
import { emitValidators } from "./emit-validators.ts";

/**
 * Types, standalone validators, the method table and the document itself.
 *
 * @param exact - the same contract, of which `JSON.stringify` writes every number as it was
 * @param base - the contract of `packages/contract`; null for that one itself
 */
export const emitContract = async (
  contract: Contract,
  exact: Contract,
  base: Contract | null,
  folder: string,
): Promise<void> => {
  const module = "@lamplight/contract";
  const validators = emitValidators(contract);
  await writeFile(join(folder, "types.ts"), await emitTypes(contract, base && { contract: base, module }));
  await writeFile(join(folder, "validators.js"), validators);
  await writeFile(join(folder, "validators.d.ts"), validatorDeclarations(validators));
  await writeFile(
    join(folder, "methods.ts"),
    emitMethods(contract, base === null ? "../method-checks.ts" : module),
  );
  await writeFile(join(folder, "document.ts"), emitDocument(exact));
};

const validatorDeclarations = (code: string): string => {
  const names = [...code.matchAll(/export const (\w+) =/g)].map((match) => match[1]!);
  const shape =
    "{ (value: unknown): boolean; errors?: { instancePath: string; keyword: string; message?: string; params: { [name: string]: unknown } }[] | null }";
  return `${banner}\n${names.map((name) => `export declare const ${name}: ${shape};`).join("\n")}\n`;
};

/** Emits the contract as text, so that nothing is rounded on the way to a reader. */
const emitDocument = (exact: Contract): string => {
  const compact = JSON.stringify(exact);
  return `${banner}\n/** The OpenRPC document: openrpc.json with the recorded examples. */\nexport const documentText: string =\n  ${JSON.stringify(compact)};\n`;
};
