import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readContract } from "./contract-model.ts";
import { emitSite } from "./site/emit-site.ts";

/** The documentation as static files. */
const emitDocs = async (folder: string): Promise<void> => {
  for (const [path, text] of emitSite(readContract())) {
    const file = join(folder, "site", path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
  }
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitDocs] },
};
