// A person opens the explorer of a test chain, in a real Chromium.
import { docsDirectory } from "@lamplight/docs";
import { type Browser, chromium, type Page } from "@playwright/test";
import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createUserProject } from "../../test/user-project.ts";
import { createTestChain, type TestChain } from "../index.ts";

const run = promisify(execFile);

const executablePath = process.env["LAMPLIGHT_CHROMIUM"] ?? "/usr/bin/chromium";
const hasChromium = existsSync(executablePath);
if (!hasChromium)
  console.warn(
    `SKIPPED: the explorer of a test chain needs Chromium, and there is none at ${executablePath} (apt-get install chromium)`,
  );

let chain: TestChain;
beforeEach(async () => {
  chain = await createTestChain();
});
afterEach(() => chain.close());

describe("chain.listen with explorer", () => {
  test("serves pages that belong to this chain, under the policy of the server", async () => {
    expect(docsDirectory).not.toBeNull();
    const { url, explorerUrl, port } = await chain.listen({ explorer: true });
    expect(explorerUrl).toBe(`http://127.0.0.1:${port}/explore/`);
    const page = await fetch(explorerUrl!);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    const config = await fetch(new URL("/docs-config.json", url));
    expect(await config.json()).toMatchObject({ publicKey: "test" });
    const contract = await fetch(new URL("/openrpc.json", url));
    expect(await contract.json()).toMatchObject({ servers: [{ url }] });
    const methods = await fetch(new URL("/methods/getAsset.html", url), {
      headers: { accept: "text/html" },
    });
    expect(methods.status).toBe(200);
  });

  test("is off unless it is asked for", async () => {
    const { url, explorerUrl } = await chain.listen();
    expect(explorerUrl).toBeNull();
    expect((await fetch(new URL("/explore/", url))).status).toBe(404);
  });

  test("is in the package as it is built", async () => {
    const project = createUserProject();
    try {
      const script = `import { createTestChain } from "@lamplight/testing";
        await using chain = await createTestChain();
        const { explorerUrl } = await chain.listen({ explorer: true });
        console.log((await (await fetch(explorerUrl)).text()).slice(0, 15));`;
      const args = ["--input-type=module", "--eval", script];
      const { stdout } = await run(process.execPath, args, {
        cwd: project,
        env: { PATH: process.env["PATH"] },
      });
      expect(stdout).toBe("<!doctype html>\n");
    } finally {
      rmSync(project, { recursive: true });
    }
  });

  describe.skipIf(!hasChromium)("in Chromium", () => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    });
    beforeEach(async () => {
      page = await browser.newPage();
    });
    afterAll(() => browser.close());

    test("shows a minted asset, and what became of it", async () => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      const { explorerUrl } = await chain.listen({ explorer: true });
      const [alice, bob] = [chain.wallet("alice"), chain.wallet("bob")];
      const cat = await chain.mint({ kind: "core", owner: alice, name: "Cat of a test" });
      await page.goto(`${explorerUrl}#/wallet/${alice.address}`);
      await page.locator(".card .name", { hasText: "Cat of a test" }).click();
      await page.locator("h1", { hasText: "Cat of a test" }).waitFor();
      expect(page.url()).toContain(cat.id);
      await cat.transfer(bob);
      await page.reload();
      await page.locator("#view", { hasText: bob.address }).waitFor();
      expect(complaints).toEqual([]);
    });
  });
});
