import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readExactContract } from "./read-contract.ts";
import { emitSite } from "./site/emit-site.ts";

/** The documentation as static files. */
const emitDocs = async (folder: string): Promise<void> => {
  for (const [path, text] of emitSite(readExactContract())) {
    const file = join(folder, "site", path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
  }
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitDocs] },
};
