import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { banner, pascalCase } from "./emit-helpers.ts";
import { readContract } from "./read-contract.ts";

/** The stubs of a server: one typed handler per method, which the compiler demands to be complete. */
const emitServer = async (folder: string): Promise<void> => {
  const { methods } = readContract();
  const imports = methods
    .flatMap(({ name }) => [`${pascalCase(name)}Params`, `${pascalCase(name)}Result`])
    .toSorted();
  const rows = methods.map(
    ({ name, summary }) =>
      `  /** ${summary} */\n  readonly ${name}: Handler<${pascalCase(name)}Params, ${pascalCase(name)}Result, Context>;`,
  );
  const text = `${banner}
import type {
${imports.map((name) => `  ${name},`).join("\n")}
} from "@lamplight/contract";
import type { FinishedJson, MaybePromise } from "@lamplight/core";

/** Answers one call with the finished JSON of its result. */
export type Handler<Params, Result, Context> = (params: Params, context: Context) => MaybePromise<FinishedJson<Result>>;

/** What a server must be able to answer. */
export interface MethodTable<Context> {
${rows.join("\n")}
}
`;
  await writeFile(join(folder, "method-table.ts"), text);
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitServer] },
};
