import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A place for a store file in a folder of its own, and what removes the folder. */
export const temporaryFile = (): { readonly file: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-store-"));
  return { file: join(folder, "index.db"), remove: () => rmSync(folder, { recursive: true, force: true }) };
};
