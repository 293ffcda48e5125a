import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { banner, pascalCase } from "./emit-helpers.ts";
import { readContract } from "./read-contract.ts";

/** The stubs of a server: one typed method each, which the compiler demands to be complete. */
const emitServer = async (folder: string): Promise<void> => {
  const { methods } = readContract();
  const imports = methods
    .flatMap(({ name }) => [`${pascalCase(name)}Params`, `${pascalCase(name)}Result`])
    .toSorted();
  const rows = methods.map(
    ({ name, summary }) =>
      `  /** ${summary} */\n  readonly ${name}: Method<${pascalCase(name)}Params, ${pascalCase(name)}Result>;`,
  );
  const text = `${banner}
import type {
${imports.map((name) => `  ${name},`).join("\n")}
} from "@lamplight/contract";
import type { Method } from "@lamplight/core";

/** The methods that a server must be able to answer. */
export interface MethodTable {
${rows.join("\n")}
}
`;
  await writeFile(join(folder, "method-table.ts"), text);
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitServer] },
};
