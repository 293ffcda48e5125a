import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "@lamplight/docs/build";

/** The data of a reference: the published contract. `packages/docs` makes its pages from it. */
export const emitReference = (contract: Contract, folder: string): Promise<void> =>
  writeFile(join(folder, "reference.json"), `${JSON.stringify(contract, null, 2)}\n`);
