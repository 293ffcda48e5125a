import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const folder = new URL("../", import.meta.url).pathname;
const compiler = new URL("../../../node_modules/typescript/bin/tsc", import.meta.url).pathname;

/** A slip, and the name that the compiler has to say. */
const slips: readonly (readonly [string, string])[] = [
  ['client.searchAssets({ ownerAdress: "o" })', "'ownerAddress'"],
  ['client.getAsset({ idd: "a" })', "'idd'"],
  ['client.getNftEditions({ mint: "m", limt: 5 })', "'limt'"],
  ['client.getAccountInfo({ address: "a", config: { encodin: "base64" } })', "'encodin'"],
  ['client.getAccountInfo("a", { encodin: "base64" })', "'encodin'"],
  ['client.getTokenAccountsByDelegate({ adress: "a", accountDetails: { mint: "m" } })', "'adress'"],
  ['client.getLargestAccounts({ filtr: "circulating" })', "'filtr'"],
];

test("a slip costs one line of the compiler, and it names the slip", async () => {
  const scratch = mkdtempSync(join(folder, "slips-"));
  try {
    const lines = slips.map(([code]) => `void ${code};`);
    const head = 'import { createClient } from "../src/index.ts"; const client = createClient({ url: "" });';
    writeFileSync(join(scratch, "slips.ts"), [head, ...lines].join("\n"));
    writeFileSync(
      join(scratch, "tsconfig.json"),
      JSON.stringify({ extends: "../../../tsconfig.json", include: ["slips.ts"] }),
    );
    const { stdout } = await run(process.execPath, [
      compiler,
      "--noEmit",
      "--pretty",
      "false",
      // Each thread that checks would check the libraries again.
      "--singleThreaded",
      "-p",
      scratch,
    ]).catch((error: unknown) => error as { stdout: string });
    const said = stdout.trim().split("\n");
    expect(said).toHaveLength(slips.length);
    for (const [index, [, name]] of slips.entries()) {
      expect(said[index]).toContain(`slips.ts(${index + 2},`);
      expect(said[index]).toContain(name);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
