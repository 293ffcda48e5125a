import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Contract, readContractText } from "./contract-model.ts";
import { parseKeepingText } from "./examples/exact-json.ts";
import { emitSite } from "./site/emit-site.ts";

/** The documentation as static files. */
const emitDocs = async (folder: string): Promise<void> => {
  for (const [path, text] of emitSite(parseKeepingText(readContractText()) as Contract)) {
    const file = join(folder, "site", path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
  }
};

export default {
  staticPath: () => undefined,
  hooks: { templateFiles: { typescript: [] }, afterCompileTemplate: [emitDocs] },
};
