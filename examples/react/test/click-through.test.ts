import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoAddresses, demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { type RunningServer, startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { chromium } from "playwright-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Debian's package, or what `LAMPLIGHT_CHROMIUM` names. */
const findChromium = (): string | null => {
  const named = process.env["LAMPLIGHT_CHROMIUM"];
  if (named !== undefined) return named;
  for (const command of ["chromium", "chromium-browser", "google-chrome"])
    try {
      return execFileSync("which", [command], { encoding: "utf8" }).trim();
    } catch {
      // The next name.
    }
  return null;
};

const executablePath = findChromium();
if (executablePath === null)
  console.warn(
    "SKIPPED: the React example is not clicked through, because there is no Chromium (apt-get install chromium)",
  );

const root = new URL("../", import.meta.url).pathname;

describe.skipIf(executablePath === null)("the React example, built and opened in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-react-"));
  let server: RunningServer;
  let site: PreviewServer;
  let closeStore: () => void;

  beforeAll(async () => {
    const file = join(folder, "demo.db");
    const store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    const indexer = createIndexer(store);
    for (const { slot, blockhash, accounts } of demoChain())
      await indexer.applyAccounts(accounts, { slot, blockhash });
    await store.close();
    const viewSource = openSqliteReader({ file });
    closeStore = () => viewSource.close();
    server = await startServer({ viewSource, keys: ["demo"], port: 0 });
    const outDir = join(folder, "site");
    const settings = { root, configFile: false, logLevel: "error", build: { outDir } } as const;
    await build({ ...settings, resolve: { conditions: ["@lamplight/source", "module", "browser"] } });
    site = await preview({ ...settings, preview: { host: "127.0.0.1", port: 0 } });
  });
  afterAll(async () => {
    await site.close();
    await server.stop();
    closeStore();
    rmSync(folder, { recursive: true });
  });

  test("shows a wallet page by page, one asset, and an error with its hint", async () => {
    const browser = await chromium.launch({ executablePath: executablePath! });
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
      page.on("pageerror", (error) => void faults.push(error.message));
      const address = new URL(site.resolvedUrls!.local[0]!);
      address.search = new URLSearchParams({ server: server.url, owner: demoAddresses.nftOwner }).toString();
      await page.goto(address.href);

      const status = page.getByRole("status");
      await status.waitFor();
      const [, shown, total] = /^(\d+) of (\d+)$/.exec(await status.innerText())!;
      expect(Number(shown)).toBe(6);
      expect(Number(total)).toBeGreaterThan(6);
      await page.getByRole("button", { name: "More" }).click();
      await expect.poll(() => status.innerText()).toBe(`${Math.min(12, Number(total))} of ${total}`);

      const first = page.getByRole("listitem").first().getByRole("button");
      const name = await first.innerText();
      await first.click();
      await page.getByRole("heading", { level: 2, name }).waitFor();
      expect(JSON.parse(await page.locator("pre").innerText())).toMatchObject({ interface: "V1_NFT" });

      await page.getByLabel("Wallet").fill("no address");
      await page.getByRole("button", { name: "Show" }).click();
      expect(await page.getByRole("alert").innerText()).toContain("ownerAddress");
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
