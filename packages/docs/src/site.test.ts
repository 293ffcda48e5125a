import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { contractDocument } from "@lamplight/contract";
import { describe, expect, test } from "vitest";
import { siteFiles } from "./site.ts";

interface Budget {
  readonly pageGzipBytesMax: number;
  readonly sharedGzipBytesMax: number;
}

const { site: budget } = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8")) as {
  site: Budget;
};

const site = siteFiles();
const files = [...site.keys()];
const read = (path: string): string => site.get(path)!;
const pages = files.filter((path) => path.endsWith(".html"));
const gzipBytes = (text: string): number => gzipSync(text).length;

/** Answered by the server next to the site. */
const servedBeside: ReadonlySet<string> = new Set(["openrpc.json"]);

const idsOf = (html: string): readonly string[] =>
  [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);

/** The function of the page's own script that makes HTML of an answer. */
const jsonHtmlOfPage = (): ((text: string) => string) => {
  const script = read("site.js");
  const from = script.indexOf("const escapeHtml");
  const to = script.indexOf("/** Longer answers");
  expect([from >= 0, to > from]).toEqual([true, true]);
  // oxlint-disable-next-line no-new-func, no-implied-eval -- our own script, which a browser runs
  return new Function(`${script.slice(from, to)}; return jsonHtml;`)() as (text: string) => string;
};

const hostileParts = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"',
  "\\",
  "</span>",
  "&lt;b&gt;",
  "javascript:alert(1)",
  "\u2028",
  "a",
  "{",
  "]",
];

test("an answer shown in the playground cannot add an element to the page", () => {
  const jsonHtml = jsonHtmlOfPage();
  const seed = Number(process.env["LAMPLIGHT_PROPERTY_SEED"] ?? 1);
  let state = seed;
  const below = (end: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % end;
  };
  const text = (): string =>
    Array.from({ length: below(5) }, () => hostileParts[below(hostileParts.length)]!).join("");
  for (let run = 0; run < 2000; run++) {
    const json = JSON.stringify({ [text()]: text(), list: [text(), below(1000), null] });
    // Also what is no JSON: an answer of a proxy on the way.
    const html = jsonHtml(run % 4 === 0 ? text() + json + text() : json);
    const rest = html.replaceAll(/<span class="[sknw]">|<\/span>/gu, "");
    expect([`seed ${seed}, run ${run}`, rest.includes("<") || rest.includes(">")]).toEqual([
      `seed ${seed}, run ${run}`,
      false,
    ]);
  }
});

describe("the documentation", () => {
  test("has a page for every method, and an index", () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        "index.html",
        "types.html",
        "errors.html",
        "changelog.html",
        "explore/index.html",
        ...contractDocument.methods.map(({ name }) => `methods/${name}.html`),
        ...["InvalidParams", "AssetNotFound", "QueryOverBudget"].map((name) => `errors/${name}.html`),
      ]),
    );
  });

  test("has every guide, method and error as Markdown, listed in llms.txt", () => {
    const list = read("llms.txt");
    const written = pages.filter((page) => /^(?:guides|methods|errors)\/|^changelog/.test(page));
    expect(written.length).toBeGreaterThan(30);
    expect(/\]\((.*?\.md)\)/u.exec(list)?.[1]).toBe("guides/test-your-app.md");
    for (const page of written) {
      const markdown = page.replace(/html$/, "md");
      expect(read(markdown)).toMatch(/^# /);
      expect(list).toContain(`(${markdown})`);
      expect(read(page)).toContain('rel="alternate" type="text/markdown"');
    }
  });

  test("gives an example in four languages for every method, and finds each page by its search", () => {
    const found = JSON.parse(read("search.json")) as readonly { readonly path: string }[];
    for (const page of pages.filter((one) => !one.startsWith("help/")))
      expect(found.map(({ path }) => path)).toContain(page);
    for (const { name } of contractDocument.methods)
      for (const language of ["curl", "TypeScript", "Python", "Rust"])
        expect(read(`methods/${name}.html`)).toContain(`>${language}</label>`);
  });

  test.each(pages)("%s has no dead link and no repeated id", (page) => {
    const html = read(page);
    const ids = idsOf(html);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const targets = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map((match) => match[1]!);
    expect(targets.length).toBeGreaterThan(0);
    const dead = targets
      // `#/…` are views of the explorer.
      .filter((target) => !target.startsWith("https://") && !target.startsWith("#/"))
      .filter((target) => {
        const [path = "", anchor] = target.split("#");
        const file =
          path === "" ? page : path.startsWith("/") ? path.slice(1) : normalize(join(dirname(page), path));
        if (servedBeside.has(file)) return false;
        return !files.includes(file) || (anchor !== undefined && !idsOf(read(file)).includes(anchor));
      });
    expect(dead).toEqual([]);
  });

  test.each(pages)("%s loads nothing from elsewhere and runs no inline script", (page) => {
    const html = read(page);
    expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//);
    expect(html).not.toMatch(/<script(?![^>]* src=)/);
    expect(html).not.toMatch(/ on\w+="/);
  });

  test.each(pages)("%s can be read without sight", (page) => {
    const html = read(page);
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).toContain('<main id="main">');
    for (const [control] of html.matchAll(/<(?:input|select|textarea)[^>]*>/g)) {
      const id = / id="([^"]+)"/.exec(control)?.[1];
      if (id !== undefined && html.includes(`<label for="${id}"`)) continue;
      const before = html.slice(0, html.indexOf(control));
      expect(before.lastIndexOf("<label"), control).toBeGreaterThan(before.lastIndexOf("</label"));
    }
    for (const [image] of html.matchAll(/<img[^>]*>/g)) expect(image).toContain(' alt="');
  });

  test("shows the playground only once a public key is known", () => {
    for (const page of pages)
      for (const [link] of read(page).matchAll(/<a[^>]*data-playground[^>]*>/g)) {
        expect(link).toContain(" hidden");
        expect(link).not.toContain("href");
      }
    expect(read("site.js")).toContain("https://playground.open-rpc.org/");
  });

  test("stays within its budget", () => {
    for (const page of pages)
      expect(gzipBytes(read(page)), page).toBeLessThanOrEqual(budget.pageGzipBytesMax);
    const parts = files.filter((path) => /^[\w-]+\.(?:js|css)$/.test(path));
    expect(parts.length).toBeGreaterThan(5);
    const shared = parts.reduce((sum, file) => sum + gzipBytes(read(file)), 0);
    expect(shared).toBeLessThanOrEqual(budget.sharedGzipBytesMax);
  });
});

test("a site for a domain has canonical links and a sitemap, any other has neither", () => {
  expect(files).not.toContain("sitemap.xml");
  expect(read("index.html")).not.toContain("canonical");
  const built = siteFiles("https://docs.lamplight.test/api/");
  const locations = [...built.get("sitemap.xml")!.matchAll(/<loc>([^<]+)<\/loc>/gu)].map(([, url]) => url!);
  expect(locations).toContain("https://docs.lamplight.test/api/");
  expect(locations).toContain("https://docs.lamplight.test/api/methods/getAsset.html");
  expect(locations).toContain("https://docs.lamplight.test/api/explore/");
  const canonical = [...built].flatMap(([path, html]) =>
    path.endsWith(".html") ? [/<link rel="canonical" href="([^"]+)">/u.exec(html)?.[1]] : [],
  );
  expect(canonical.filter((url) => url !== undefined).toSorted()).toEqual(locations.toSorted());
});
