// A visitor uses the explorer, in a real Chromium, on the chain that `lamplight demo` serves.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LivingChain } from "@lamplight/devchain";
import { writeSite } from "@lamplight/docs/build";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, chromiumPath, startChromium, type Tab } from "../../test/chromium.ts";
import { inspectPage } from "../../test/inspect-page.ts";
import { startWorldServer, type WorldServer } from "../../test/world-server.ts";

const site = mkdtempSync(join(tmpdir(), "lamplight-site-"));
const { world, wallets } = new LivingChain({ seed: 1 });
const owner = wallets[0]!.address;
/** Ids by name; of prints, the last one. */
const nameOf = (id: string): string =>
  String((world.find(id) as { content?: { name?: string } }).content?.name);
const ids = new Map(world.ids().map((id) => [nameOf(id), id]));
let server: WorldServer;
let browser: Browser;
let tab: Tab;

const isReady = `document.getElementById("view")?.getAttribute("aria-busy") === "false"`;
const names = `[...document.querySelectorAll(".card .name")].map(({ textContent }) => textContent)`;
const text = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})?.textContent`;

const open = async (view: string): Promise<void> => {
  await tab.open(`${server.url}/explore/#/${view}`);
  await tab.until(isReady);
};

const choose = (field: string, value: string): Promise<unknown> =>
  tab.run(`(() => { const field = document.querySelector(".filter").elements[${JSON.stringify(field)}];
    field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event("input", { bubbles: true })); })()`);

const find = (query: string): Promise<unknown> =>
  tab.run(
    `(() => { const form = document.getElementById("find"); form.elements.address.value = ${JSON.stringify(query)}; form.requestSubmit(); })()`,
  );

describe.skipIf(chromiumPath === null)("the explorer in Chromium", () => {
  beforeAll(async () => {
    writeSite(site);
    server = await startWorldServer(world, site);
    browser = await startChromium();
    tab = await browser.openTab();
    await tab.look(1280, "light");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(site, { recursive: true, force: true });
  });

  test("a wallet has tabs for NFTs, compressed ones and tokens, each with its number", async () => {
    await open(`wallet/${owner}`);
    const tabs = `[...document.querySelectorAll(".views a")].map(({ textContent }) => textContent)`;
    expect(await tab.run(tabs)).toEqual(["NFTs 11", "Compressed 1", "Tokens 2"]);
    expect(await tab.run(`${names}.length`)).toBe(11);
    await tab.run(`document.querySelectorAll(".views a")[1].click()`);
    await tab.until(`${isReady} && ${names}.length === 1`);
    await tab.run(`document.querySelectorAll(".views a")[2].click()`);
    await tab.until(`${isReady} && ${names}.includes("Signal Oil")`);
    expect(await tab.run(`${names}.toSorted()`)).toEqual(["Lens", "Signal Oil"]);
    // One of them is more than a double holds.
    expect(
      await tab.run(
        `[...document.querySelectorAll(".amount")].map(({ textContent }) => textContent).toSorted()`,
      ),
    ).toEqual(["1.23456 LENS", "9,007,199,254.740993 SIG"]);
    await open(`wallet/${owner}?tab=compressed`);
    expect(await tab.run(`${names}.length`)).toBe(1);
  });

  test("a wallet's assets are filtered and sorted, and the address holds how", async () => {
    await open(`wallet/${owner}`);
    await choose("name", "lamp");
    await tab.until(`${names}.length === 2`);
    expect(await tab.run(`${names}.toSorted()`)).toEqual(["Sealed Lamp", "Signal Lamp"]);
    await choose("frozen", "true");
    await tab.until(`${names}.length === 1`);
    expect(await tab.run(names)).toEqual(["Sealed Lamp"]);
    const address = await tab.run<string>("location.hash");
    expect(address).toBe(`#/wallet/${owner}?tab=nfts&name=lamp&frozen=true`);
    await open(address.slice(2));
    expect(await tab.run(names)).toEqual(["Sealed Lamp"]);
    await choose("frozen", "");
    await tab.until(`${names}.length === 2`);
    await choose("sort", "id asc");
    await tab.until(`${text(".call pre")}.includes('sortBy: "id"')`);
    const ascending = await tab.run<readonly string[]>(
      `[...document.querySelectorAll(".card")].map(({ href }) => href.split("/").at(-1))`,
    );
    expect(ascending).toEqual([ids.get("Signal Lamp")!, ids.get("Sealed Lamp")!].toSorted());
    await choose("name", "no such name");
    await tab.until(`${text(".filter ~ [role=status]")} === "0 assets"`);
  });

  test("an amount is shown exactly where the answer has one, and nothing where it has none", async () => {
    await open("");
    const shown = await tab.run(`import("${server.url}/explore/gallery.js").then(({ gallery }) => {
      const token = (balance) => ({ id: "a", interface: "FungibleToken", content: { metadata: { name: "Oil", symbol: "OIL" } }, token_info: { decimals: 6, ...balance } });
      const result = { total: 4, items: [token({ balance: 9007199254740993n }), token({ balance: 0 }), token({}), { ...token({}), token_info: undefined }] };
      const element = gallery({ params: { ownerAddress: "b" }, result });
      return [...element.querySelectorAll(".card")].map((card) => card.querySelector(".amount")?.textContent ?? null); })`);
    expect(shown).toEqual(["9,007,199,254.740993 OIL", "0 OIL", null, null]);
  });

  test("names are searched from the field at the top, and addresses lead to their view", async () => {
    await open("");
    for (const [query, found] of [
      ["sealed LAMP", ["Sealed Lamp"]],
      ["beacon", Array.from({ length: 4 }, () => "Beacon")],
      ["100% <b> /?#", []],
    ] as const) {
      await find(query);
      await tab.until(`${isReady} && ${text("#view h1")} === ${JSON.stringify(`Names with “${query}”`)}`);
      expect(await tab.run(names)).toEqual(found);
    }
    for (const [address, view] of [
      [owner, "wallet"],
      [ids.get("Signal Lamp")!, "asset"],
      [ids.get("Signal Lamps")!, "collection"],
    ] as const) {
      await find(address);
      await tab.until(`location.hash === "#/${view}/${address}" && ${isReady}`);
    }
    // This text is as long as an address, but is none.
    await find("L".repeat(40));
    await tab.until(`${isReady} && ${text("#view h1")}?.startsWith("Names with")`);
  });

  test("prints show their numbers, and lead to all prints", async () => {
    await open(`wallet/${owner}`);
    const badges = `[...document.querySelectorAll(".card")].filter((card) => card.textContent.includes("Beacon")).map((card) => card.querySelector(".badge").textContent).toSorted()`;
    expect(await tab.run(badges)).toEqual(["#1", "#12", "#2"]);
    await tab.run(
      `[...document.querySelectorAll(".card")].find((card) => card.textContent.includes("#12")).click()`,
    );
    await tab.until(`${isReady} && /^Beacon.* #12$/u.test(${text("#view h1")})`);
    await tab.run(`document.querySelector('.facts a[href^="#/prints/"]').click()`);
    await tab.until(`${isReady} && document.querySelector(".prints")`);
    expect(
      await tab.run(
        `[...document.querySelectorAll(".prints li")].map((one) => one.textContent + (one.ariaCurrent ?? ""))`,
      ),
    ).toEqual(["#1", "#2", "#12true"]);
    expect(await tab.run(text("#view .lead"))).toBe("3 of 50 were made. 3 are known here.");
  });

  test("a print leads to its master edition, and the master to its prints", async () => {
    const master = world.ids().find((id) => nameOf(id) === "Beacon")!;
    await open(`asset/${ids.get("Beacon")}`);
    await tab.run(
      `[...document.querySelectorAll(".facts dt")].find(({ textContent }) => textContent === "Master edition").nextSibling.firstChild.click()`,
    );
    await tab.until(`location.hash === "#/asset/${master}" && ${isReady}`);
    expect(await tab.run(`${text(".facts")}.includes("Master edition")`)).toBe(false);
    expect(await tab.run(text(".facts"))).toContain("3 of 50");
    for (const mint of [ids.get("Beacon"), master]) {
      await open(`prints/${mint}`);
      expect(await tab.run(`document.querySelector('#view a.address').href`)).toContain(`#/asset/${master}`);
    }
  });

  test("a collection's assets are filtered by name, and the address holds it", async () => {
    await open(`collection/${ids.get("Signal Lamps")}`);
    await tab.until(`${names}.length === 2`);
    await choose("name", "sEAL");
    await tab.until(`${text(".filter ~ [role=status]")} === "1 found among all 2 assets"`);
    expect(await tab.run(names)).toEqual(["Sealed Lamp"]);
    await open((await tab.run<string>("location.hash")).slice(2));
    expect(await tab.run(names)).toEqual(["Sealed Lamp"]);
    await choose("frozen", "false");
    await tab.until(`${text(".filter ~ [role=status]")} === "0 found among all 1 asset"`);
    await choose("name", "");
    await tab.until(`${text(".filter ~ [role=status]")} === "1 asset"`);
    expect(await tab.run(names)).toEqual(["Signal Lamp"]);
  });

  test("a Core asset shows its plugins, with their authorities and data", async () => {
    await open(`asset/${ids.get("Signal Lamp")}`);
    const plugins = await tab.run<readonly string[]>(
      `[...document.querySelectorAll(".plugin")].map((one) => one.querySelector("h3").textContent).toSorted()`,
    );
    expect(plugins).toEqual([
      "App data",
      "Attributes",
      "Edition",
      "Royalties",
      "Transfer delegate",
      "Verified creators",
    ]);
    const all = await tab.run<string>(text(".plugins"));
    for (const part of ["fuel", "oil", "42 cm", wallets[1]!.address, "hours"]) expect(all).toContain(part);
    await open(`asset/${ids.get("Signal Lamps")}`);
    expect(await tab.run<string>(text(".facts"))).toContain("Members now2");
  });

  test("a view says that it loads, and why it did not, with a way to try again", async () => {
    await open("");
    await tab.run(
      `window.realFetch = fetch; window.fetch = () => new Promise(() => {}); location.hash = "#/wallet/${owner}"`,
    );
    await tab.until(`${text("#state")} === "Loading …" && !(${isReady})`);
    for (const [broken, message] of [
      [`() => Promise.reject(new TypeError("Failed to fetch"))`, "The server cannot be reached."],
      [
        `() => Promise.resolve(new Response("<html>Bad gateway", { status: 502 }))`,
        "Something between this page and the server answered HTTP 502.",
      ],
    ] as const) {
      await tab.run(`window.fetch = ${broken}; location.hash = "#/"; location.hash = "#/wallet/${owner}"`);
      await tab.until(`${isReady} && ${text("#view [role=alert]")} === ${JSON.stringify(message)}`);
      expect(await tab.run(text("#state"))).toBe("");
      expect(await tab.run(text("#view code"))).toBe(owner);
      expect(await tab.run(text(`#view a[href="#/account/${owner}"]`))).toBe("Show the account");
    }
    await tab.run(
      `window.fetch = realFetch; [...document.querySelectorAll("#view button")].find(({ textContent }) => textContent === "Retry").click()`,
    );
    await tab.until(`${isReady} && ${names}.length === 11`);
    // A list that stood before a failure keeps its filter.
    await tab.run(`window.fetch = ${`() => Promise.reject(new TypeError("Failed to fetch"))`}`);
    await choose("name", "lamp");
    await tab.until(`${text(".filter ~ [role=status]")} === "The server cannot be reached."`);
    await tab.run(
      `window.fetch = realFetch; [...document.querySelectorAll("#view button")].find(({ textContent }) => textContent === "Retry").click()`,
    );
    await tab.until(`${names}.length === 2`);
  });

  test.each(["wallet", "tokens", "compressed", "core", "print", "prints", "collection", "failure"])(
    "%s at every width",
    async (name) => {
      tab.complaints.splice(0);
      const views: Readonly<Record<string, string>> = {
        wallet: `wallet/${owner}`,
        tokens: `wallet/${owner}?tab=tokens`,
        compressed: `wallet/${owner}?tab=compressed`,
        core: `asset/${ids.get("Signal Lamp")}`,
        print: `asset/${ids.get("Beacon")}`,
        prints: `prints/${ids.get("Beacon")}`,
        collection: `collection/${ids.get("Signal Lamps")}?name=lamp`,
        failure: "asset/none",
      };
      await open(views[name]!);
      await inspectPage(tab, `explorer ${name}`);
    },
  );
});
