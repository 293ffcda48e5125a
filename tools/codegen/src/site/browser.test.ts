// The site and the explorer in a real Chromium, on a server of the sample chain.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoAddresses } from "@lamplight/devchain";
import { siteFiles, writeSite } from "@lamplight/docs/build";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, chromiumPath, CONTROL, startChromium, type Tab } from "../../test/chromium.ts";
import { inspectPage } from "../../test/inspect-page.ts";
import { startTreeServer } from "../../test/tree-server.ts";
import { type DemoServer, startDemoServer } from "../examples/demo-server.ts";

if (chromiumPath === null)
  console.warn(
    "skipped: no Chromium, so no page was opened; install Debian's chromium or set LAMPLIGHT_CHROMIUM",
  );

const pages = [...siteFiles().keys()].filter((path) => path.endsWith(".html")).toSorted();
const site = mkdtempSync(join(tmpdir(), "lamplight-site-"));
let server: DemoServer;
let browser: Browser;
let tab: Tab;

const inspect = (name: string): Promise<void> => inspectPage(tab, name);

describe.skipIf(chromiumPath === null)("in Chromium", () => {
  beforeAll(async () => {
    writeSite(site);
    server = await startDemoServer(null, site);
    browser = await startChromium();
    tab = await browser.openTab();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(site, { recursive: true, force: true });
  });

  const isReady = `(document.getElementById("view")?.getAttribute("aria-busy") ?? "false") === "false"`;

  const open = async (path: string): Promise<void> => {
    await tab.open(`${server.url}/${path}`);
    await tab.until(
      path.startsWith("explore") ? `${isReady} && document.querySelector("#view h1")` : isReady,
    );
  };

  test.each(pages)("%s", async (page) => {
    await open(page);
    await inspect(page);
  });

  const { nftOwner, collection, nft, mint, tokenAccount, masterEditionMint, missing } = demoAddresses;
  test.each([
    `wallet/${nftOwner}`,
    `wallet/${nftOwner}?tab=tokens`,
    `collection/${collection}`,
    `prints/${masterEditionMint}`,
    "find/Lantern",
    `asset/${nft}`,
    `asset/${mint}`,
    `asset/${masterEditionMint}`,
    `account/${tokenAccount}`,
    `account/${missing}`,
    "search?interface=ProgrammableNFT",
  ])("explorer: %s", async (view) => {
    await open(`explore/#/${view}`);
    await inspect(`explore ${view}`);
  });

  const methods = pages.filter((page) => page.includes("methods/"));
  test.each(methods)("%s: every example of the panel is answered", async (page) => {
    await open(page);
    await tab.until(`document.querySelector("[data-try]").elements.key.value !== ""`);
    const names = await tab.run<readonly string[]>(
      `[...document.querySelector("[data-try]").elements.sample.options].map(({ text }) => text)`,
    );
    expect(names.length).toBeGreaterThan(0);
    for (const [index, name] of names.entries()) {
      await tab.run(`(() => { const form = document.querySelector("[data-try]"); const { sample } = form.elements;
        document.querySelector("[data-status]").textContent = "";
        sample.selectedIndex = ${index}; sample.dispatchEvent(new Event("change")); form.requestSubmit(); })()`);
      await tab.until(`document.querySelector("[data-status]").textContent !== ""`);
      const [status, isBad] = await tab.run<[string, boolean]>(
        `[document.querySelector("[data-status]").textContent, document.querySelector("[data-status]").classList.contains("bad")]`,
      );
      expect([name, status.startsWith("HTTP 200"), isBad]).toEqual([
        name,
        true,
        name.startsWith("refused: "),
      ]);
    }
  });

  test("the DAS methods have a playground where the server answers them", async () => {
    await open("das-reference/index.html");
    const links = `[...document.querySelectorAll("[data-playground]")].map(({ hidden, href }) => [hidden, new URL(href).searchParams.get("schemaUrl")])`;
    await tab.until(`document.querySelector('[data-playground="das"]').hidden === false`);
    expect(await tab.run(links)).toEqual([
      [false, `${server.url}/v3/demo`],
      [false, `${server.url}/das/demo`],
    ]);
    expect(await tab.run(`document.querySelector("[data-lacks]").hidden`)).toBe(true);
  });

  test("the form writes the call by name", async () => {
    await open("methods/searchAssets.html");
    await tab.until(`document.querySelector("[data-try]").elements.key.value !== ""`);
    const request = await tab.run<string>(`(() => {
      const form = document.querySelector("[data-try]");
      const set = (path, value) => { const field = form.querySelector('[data-path="' + path + '"]'); field.value = value; field.dispatchEvent(new Event("input", { bubbles: true })); };
      set("ownerAddress", "${nftOwner}"); set("burnt", "false"); set("grouping", "collection, ${collection}"); set("options.showFungible", "true"); set("limit", "3");
      return form.elements.request.value; })()`);
    expect(JSON.parse(request)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "searchAssets",
      params: {
        ownerAddress: nftOwner,
        burnt: false,
        grouping: ["collection", collection],
        options: { showFungible: true },
        limit: 3,
      },
    });
  });

  test("the explorer leads from a gallery to an asset, its owner and its collection", async () => {
    const heading = `document.querySelector("#view h1").textContent`;
    await open("explore/");
    const first = await tab.run<string>(`document.querySelector(".card .name").textContent`);
    await tab.run(`document.querySelector(".card").click()`);
    await tab.until(`${isReady} && ${heading}.startsWith(${JSON.stringify(first)})`);
    await open(`explore/#/asset/${nft}`);
    await tab.run(`document.querySelector('.facts a[href="#/wallet/${nftOwner}"]').click()`);
    await tab.until(`${isReady} && ${heading}.startsWith("Wallet")`);
    await open(`explore/#/asset/${nft}`);
    await tab.run(`document.querySelector('.facts a[href="#/collection/${collection}"]').click()`);
    await tab.until(`${isReady} && document.querySelector(".collection") && document.querySelector(".card")`);
    await tab.until(`document.getElementById("slot").textContent.startsWith("slot ")`);
    for (const [address, view] of [
      [nft, "asset"],
      [nftOwner, "wallet"],
      [collection, "collection"],
      [tokenAccount, "account"],
    ]) {
      await tab.run(
        `(() => { const form = document.getElementById("find"); form.elements.address.value = "${address}"; form.requestSubmit(); })()`,
      );
      await tab.until(`location.hash === "#/${view}/${address}" && ${isReady}`);
    }
    expect(tab.complaints.splice(0)).toEqual([]);
  });

  test("an asset shows the slot of its last update, and whether its tree is complete", async () => {
    const trees = await startTreeServer(site);
    const fact = (name: string): Promise<string | null> =>
      tab.run(
        `[...document.querySelectorAll(".facts dt")].find(({ textContent }) => textContent === "${name}")?.nextSibling.textContent ?? null`,
      );
    try {
      for (const [id, isComplete, slot] of [
        [trees.complete, "yes", "1,001"],
        [trees.incomplete, "no", "1,003"],
      ] as const) {
        await tab.open(`${trees.url}/explore/#/asset/${id}`);
        await tab.until(`${isReady} && document.querySelector(".facts")`);
        expect([await fact("Tree is complete"), await fact("Last updated at slot")]).toEqual([
          isComplete,
          slot,
        ]);
      }
      await open(`explore/#/asset/${nft}`);
      expect(await fact("Tree is complete")).toBeNull();
      const answer = await fetch(`${server.url}/v3/demo`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAsset", params: [nft] }),
      });
      const updated = Number(answer.headers.get("x-updated-slot")).toLocaleString("en-US");
      expect(await fact("Last updated at slot")).toBe(updated);
    } finally {
      await trees.stop();
    }
    expect(tab.complaints.splice(0)).toEqual([]);
  });

  test("the search builder counts, and shows the call, while criteria change", async () => {
    await open("explore/#/search");
    const total = `document.querySelector(".total").textContent`;
    const all = await tab.run<string>(total);
    await tab.run(
      `(() => { const { elements } = document.querySelector(".criteria"); elements.interface.value = "ProgrammableNFT"; elements.interface.dispatchEvent(new Event("input", { bubbles: true })); })()`,
    );
    await tab.until(`${total} !== ${JSON.stringify(all)}`);
    expect(await tab.run<string>(`document.querySelector(".call pre").textContent`)).toContain(
      'interface: "ProgrammableNFT"',
    );
    expect(await tab.run("location.hash")).toBe("#/search?interface=ProgrammableNFT");
  });

  test("a keyboard is enough: skip link, search by Ctrl-K and /, results by arrow and Enter", async () => {
    await open("index.html");
    await tab.look(1440, "light");
    await tab.press("Tab");
    expect(await tab.run("document.activeElement.className")).toBe("skip");
    for (const [key, modifiers] of [
      ["k", CONTROL],
      ["/", 0],
    ] as const) {
      await open("index.html");
      await tab.press(key, modifiers);
      await tab.until(`document.querySelector("dialog.search").open`);
      await tab.type("page through");
      await tab.until(`document.querySelector("dialog.search li a")`);
      if (key === "/") {
        await tab.press("Escape");
        await tab.until(`!document.querySelector("dialog.search").open`);
      } else {
        await tab.press("ArrowDown");
        await tab.press("Enter");
        await tab.until(`location.pathname === "/guides/collection-pages.html"`);
      }
    }
  });

  test("what a creator writes stays text", async () => {
    await open("explore/");
    const made = await tab.run<string>(`import("${server.url}/explore/dom.js").then(({ h }) => {
      const element = h("p", {}, "<img src=x onerror=alert(1)>", ["<b>", ["</b>"]]); return element.innerHTML; })`);
    expect(made).toBe("&lt;img src=x onerror=alert(1)&gt;&lt;b&gt;&lt;/b&gt;");
    const uris = [
      "javascript:alert(1)",
      "data:text/html,x",
      "http://elsewhere.example/a.png",
      "https://a.example/b.png",
      "ipfs://c/d.png",
      `${server.url}/v3/demo`,
      5,
    ];
    const urls = await tab.run(
      `import("${server.url}/explore/picture.js").then(({ pictureUrl }) => ${JSON.stringify(uris)}.map(pictureUrl))`,
    );
    expect(urls).toEqual([
      null,
      null,
      null,
      "https://a.example/b.png",
      "https://ipfs.io/ipfs/c/d.png",
      null,
      null,
    ]);
  });
});
