import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("names the packages that are missing where the client stands alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-client-"));
  try {
    cpSync(fileURLToPath(new URL(".", import.meta.url)), join(folder, "src"), { recursive: true });
    const script = `
import { createInProcessClient } from "./src/in-process.ts";
const client = createInProcessClient({ viewSource: { openView: () => null } });
for (let call = 0; call < 2; call += 1)
  await client.getTokenSupply("11111111111111111111111111111111").catch((error) => console.log(error.message));`;
    const said = execFileSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
      cwd: folder,
      encoding: "utf8",
    });
    const message =
      "calls without a server run on @lamplight/core and @lamplight/errors: install both next to @lamplight/client\n";
    expect(said).toBe(message + message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
