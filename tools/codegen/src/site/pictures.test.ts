// The explorer asks other hosts for pictures, in a real Chromium. Every asset here is an attack by its creator.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChainWorld } from "@lamplight/devchain";
import { writeSite } from "@lamplight/docs/build";
import type { ServerOptions } from "@lamplight/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, chromiumPath, publicName, startChromium, type Tab } from "../../test/chromium.ts";
import { startWorldServer } from "../../test/world-server.ts";

const proxyText = "https://proxy.example.org/?url=";
const safeText = "https://pictures.example.org/safe.png";
const cid = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy";
/** Opened as a page, it runs. */
const script = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/%3E";

const site = mkdtempSync(join(tmpdir(), "lamplight-site-"));
let browser: Browser;
let tab: Tab;

/** A wallet of attacks, by the picture of each asset. The page's own address is known once the server listens. */
const worldOf = (): { world: ChainWorld; owner: string; ids: Map<string, string> } => {
  const world = new ChainWorld({ seed: 5 });
  const owner = world.wallet("victim");
  const images = [
    safeText,
    script,
    `ipfs://${cid}`,
    "ipfs://../api/v0/shutdown",
    "https://router.lan/reboot",
    "https://router/reboot",
    "https://127.0.0.1/v3/demo",
    "https://[::1]/x",
    "https://192.168.1.1/x",
    "https://0xc0a80101/x",
    "/v3/demo",
    "//router.lan/x",
    "javascript:alert(1)",
  ];
  const ids = new Map(
    images.map((image, index) => [image, world.mint({ kind: "core", owner, name: `#${index}`, image })]),
  );
  return { world, owner: owner.address, ids };
};

const isReady = `(document.getElementById("view")?.getAttribute("aria-busy") ?? "false") === "false"`;

/** A server whose settings a test chooses, and the wallet opened at one of its names. */
const withWallet = async (
  options: Partial<ServerOptions>,
  hostname: string,
  run: (asked: () => readonly string[], ids: ReadonlyMap<string, string>, url: string) => Promise<void>,
): Promise<void> => {
  const { world, owner, ids } = worldOf();
  const server = await startWorldServer(world, site, options);
  const url = server.url.replace("127.0.0.1", hostname);
  try {
    // The page of the test before asks for nothing from here on.
    await tab.open("data:text/html,");
    tab.requests.length = 0;
    await tab.open(`${url}/explore/#/wallet/${owner}`);
    await tab.until(`${isReady} && document.querySelectorAll(".card").length === ${ids.size}`);
    // Pictures below the fold are loaded when they come into view.
    await tab.run(`document.querySelectorAll("img").forEach((image) => { image.loading = "eager"; })`);
    await run(
      () => [...new Set(tab.requests.filter((one) => !one.startsWith(`${url}/`)))].toSorted(),
      ids,
      url,
    );
  } finally {
    await server.stop();
  }
};

const ipfsHost = `https://ipfs.io/ipfs/${cid}`;

describe.skipIf(chromiumPath === null)("pictures in Chromium", () => {
  beforeAll(async () => {
    writeSite(site);
    browser = await startChromium();
    tab = await browser.openTab();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(site, { recursive: true, force: true });
  });

  test.each([
    ["all", { pictures: "all" }, "127.0.0.1", [ipfsHost, safeText]],
    ["nothing set, on the visitor's own machine", {}, "127.0.0.1", [ipfsHost, safeText]],
    [
      "proxy",
      { pictures: "proxy", pictureProxy: proxyText },
      "127.0.0.1",
      [`${proxyText}${encodeURIComponent(ipfsHost)}`, `${proxyText}${encodeURIComponent(safeText)}`],
    ],
  ] as const)("%s", async (_name, options, hostname, expected) => {
    await withWallet(options, hostname, async (asked) => {
      await tab.until(`document.querySelectorAll(".picture img").length <= 1`);
      expect(asked()).toEqual(expected);
      expect(await tab.run(`document.querySelectorAll(".reveal").length`)).toBe(0);
    });
  });

  test.each([
    ["click", { pictures: "click" }, "127.0.0.1"],
    ["nothing set, where the server is public", { allowedHosts: [publicName] }, publicName],
  ] as const)(
    "%s: another host is asked after a click, for that picture",
    async (_name, options, hostname) => {
      await withWallet(options, hostname, async (asked, ids) => {
        expect(asked()).toEqual([]);
        expect(
          await tab.run(`[...document.querySelectorAll(".reveal")].map(({ title }) => title).toSorted()`),
        ).toEqual(["From ipfs.io", "From pictures.example.org"]);
        const card = `[...document.querySelectorAll("li.shown")].find((one) => one.innerHTML.includes("${ids.get(safeText)}"))`;
        await tab.run(`${card}.querySelector(".reveal").click()`);
        await tab.until(`document.querySelectorAll(".reveal").length === 1`);
        await expect.poll(asked).toEqual([safeText]);
        await tab.run(`document.querySelector(".reveal-all").click()`);
        await expect.poll(asked).toEqual([ipfsHost, safeText]);
      });
    },
  );

  test("no link leads to a document that a creator wrote, and none to the visitor's network", async () => {
    await withWallet({}, "127.0.0.1", async (_asked, ids, url) => {
      for (const [image, id] of ids) {
        await tab.open(`${url}/explore/#/asset/${id}`);
        await tab.until(`${isReady} && document.querySelector(".facts")`);
        const links = await tab.run<readonly string[]>(
          `[...document.querySelectorAll("#view a")].map(({ href }) => href).filter((href) => !href.startsWith(location.origin))`,
        );
        const allowed = image === safeText ? [safeText] : image.endsWith(cid) ? [ipfsHost] : [];
        expect([image, links]).toEqual([image, allowed]);
      }
    });
  });
});
