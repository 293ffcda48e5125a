import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readExactContract } from "./read-contract.ts";

/** The data of the reference: the published contract. `packages/docs` makes its pages from it. */
const emitReference = (folder: string): Promise<void> =>
  writeFile(join(folder, "reference.json"), `${JSON.stringify(readExactContract(), null, 2)}\n`);

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitReference] },
};
