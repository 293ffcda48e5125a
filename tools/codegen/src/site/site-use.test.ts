// A reader uses the site, in a real Chromium: tables, navigation, panel, links that are passed on, search.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoAddresses } from "@lamplight/devchain";
import { siteFiles, writeSite } from "@lamplight/docs/build";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, chromiumPath, CONTROL, startChromium, type Tab } from "../../test/chromium.ts";
import { type DemoServer, startDemoServer } from "../examples/demo-server.ts";

const site = mkdtempSync(join(tmpdir(), "lamplight-site-"));
let server: DemoServer;
let browser: Browser;
let tab: Tab;

const form = `document.querySelector("[data-try]")`;
const request = `${form}.elements.request.value`;
const isReady = `${form}.elements.key.value !== ""`;

const isInView = (selector: string): string =>
  `(() => { const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return bottom > 60 && top < innerHeight; })()`;

describe.skipIf(chromiumPath === null)("the site in Chromium", () => {
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

  const pages = [...siteFiles().keys()].filter((path) =>
    /^(?:methods|guides|das-reference)\/.*html$|^errors\.html$/u.test(path),
  );
  test.each([390, 768, 1280, 1440])("no table hides a column at %i px", async (width) => {
    for (const page of pages) {
      await tab.look(width, "light");
      await tab.open(`${server.url}/${page}`);
      const cut = await tab.run<readonly string[]>(
        `[...document.querySelectorAll(".scroll")].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ ariaLabel }) => ariaLabel)`,
      );
      expect([page, cut]).toEqual([page, []]);
    }
  });

  test("a narrow table names its cells", async () => {
    await tab.look(390, "light");
    await tab.open(`${server.url}/methods/searchAssets.html`);
    const label = await tab.run<string>(
      `getComputedStyle(document.querySelector("#param-burnt td:nth-of-type(2)"), "::before").content`,
    );
    expect(label).toBe('"Type "');
  });

  test("the navigation stays, and shows the page that is open", async () => {
    await tab.look(1280, "light");
    await tab.open(`${server.url}/methods/searchAssets.html`);
    await tab.until(isReady);
    await tab.run(`scrollTo({ top: 4000, behavior: "instant" })`);
    expect(await tab.run(`[scrollY > 3000, ${isInView("nav [aria-current]")}]`)).toEqual([true, true]);
  });

  test.each([390, 1280])(
    "the panel at %i px: reached from the top, sent by Ctrl-Enter, answered in view",
    async (width) => {
      await tab.look(width, "light");
      await tab.open(`${server.url}/methods/searchAssets.html`);
      await tab.until(isReady);
      expect(await tab.run(isInView('main a[href="#try"]'))).toBe(true);
      await tab.run(`document.documentElement.style.scrollBehavior = "auto"`);
      await tab.run(`document.querySelector('main a[href="#try"]').click()`);
      await tab.until(isInView("#try"));
      const { params } = JSON.parse(await tab.run<string>(request)) as { params: Record<string, unknown> };
      expect(params).toMatchObject({ ownerAddress: demoAddresses.nftOwner });
      expect(Object.values(params)).not.toContain(null);
      await tab.run(`${form}.elements.request.focus()`);
      await tab.press("Enter", CONTROL);
      await tab.until(`document.querySelector("[data-status]").textContent.startsWith("HTTP 200")`);
      await tab.until(isInView("[data-status]"));
      expect(await tab.run<string>(request)).toMatch(/^\{[\s\S]*\}$/u);
    },
  );

  test("the address holds the request, never the key, and opens the panel with it without sending", async () => {
    await tab.look(1280, "light");
    await tab.open(`${server.url}/methods/getAsset.html`);
    await tab.until(isReady);
    await tab.run(
      `${form}.elements.request.value = '{"jsonrpc":"2.0","id":1,"method":"getAsset","params":{"id":"x&y#z%"}}'`,
    );
    await tab.run(`${form}.requestSubmit()`);
    await tab.until(`document.querySelector("[data-status]").textContent !== ""`);
    const shared = await tab.run<string>("location.href");
    expect(shared).toContain("#try=");
    expect(shared).not.toContain("demo");
    tab.requests.length = 0;
    await tab.open(shared);
    await tab.until(isReady);
    expect(JSON.parse(await tab.run<string>(request))).toMatchObject({ params: { id: "x&y#z%" } });
    expect(tab.requests.filter((url) => url.includes("/v3/"))).toEqual([]);
    // A link cannot choose where the reader's key goes.
    expect(await tab.run(`${form}.elements.base.value`)).toBe(server.url);
    await tab.open(`${server.url}/methods/getAsset.html#try=%7B%22broken%`);
    await tab.until(isReady);
    expect(await tab.run<string>(request)).toContain("getAsset");
    await tab.run(
      `${form}.elements.request.value = "x".repeat(9000); ${form}.querySelector("[data-share]").click()`,
    );
    expect(await tab.run(`${form}.querySelector("[data-note]").textContent`)).toBe(
      "The request is too long for a link.",
    );
  });

  test("the form is filled from the request, digit for digit", async () => {
    await tab.open(`${server.url}/methods/searchAssets.html`);
    await tab.until(isReady);
    await tab.run(
      `${form}.elements.request.value = '{"params":{"supply":18446744073709551615,"grouping":["collection","a"],"burnt":false,"options":{"showFungible":true}}}'`,
    );
    await tab.run(`${form}.querySelector("details.fields").open = true`);
    const field = (path: string): string => `${form}.querySelector('[data-path="${path}"]')`;
    await tab.until(`${field("supply")}.value !== ""`);
    await tab.run(
      `${field("limit")}.value = "2"; ${field("limit")}.dispatchEvent(new Event("input", { bubbles: true }))`,
    );
    const text = await tab.run<string>(request);
    expect(text).toContain('"supply": 18446744073709551615');
    expect(text.replaceAll(/\s+/gu, "")).toContain(
      '"grouping":["collection","a"],"supply":18446744073709551615,"burnt":false,"limit":2,"options":{"showFungible":true}',
    );
  });

  test("the search answers typing errors and synonyms, and says when it found nothing", async () => {
    await tab.open(`${server.url}/index.html`);
    const search = `document.querySelector("dialog.search")`;
    await tab.until(search);
    const ask = (text: string): Promise<unknown> =>
      tab.run(`(() => { document.getElementById("search").click(); const input = ${search}.querySelector("input");
        input.value = ${JSON.stringify(text)}; input.dispatchEvent(new Event("input")); })()`);
    await ask("xylophone");
    await tab.until(
      `${search}.querySelector("[role=status]").textContent.startsWith("Nothing found for “xylophone”")`,
    );
    expect(await tab.run(`${search}.querySelectorAll("li a").length`)).toBe(3);
    await ask("webhok");
    await tab.until(`${search}.querySelector("li a")?.textContent === "Webhooks"`);
    expect(await tab.run(`${search}.querySelector("[role=status]").textContent`)).toBe("");
    await tab.run(`${search}.querySelector("li a").click()`);
    await tab.until(`location.pathname + location.hash === "/guides/questions.html#webhooks"`);
  });

  test("browsers and crawlers find the files that they ask for by name", async () => {
    for (const [path, type] of [
      ["favicon.ico", "image/x-icon"],
      ["robots.txt", "text/plain; charset=utf-8"],
    ] as const) {
      const response = await fetch(`${server.url}/${path}`);
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type]);
    }
  });
});
