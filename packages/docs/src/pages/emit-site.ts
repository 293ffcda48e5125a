import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { boundsPage, failuresPage } from "./operation-pages.ts";
import { changelogPage, readReleases } from "./changelog-page.ts";
import { dasPage } from "./das-page.ts";
import { errorPage } from "./error-pages.ts";
import { errorsPage } from "./errors-page.ts";
import { explorePage } from "./explore-page.ts";
import { guidePage, guidePath, readGuides } from "./guide-pages.ts";
import { helpPages } from "./help-pages.ts";
import { indexPage } from "./index-page.ts";
import { markdownPath, type Page, pageHtml } from "./layout.ts";
import { methodPage } from "./method-page.ts";
import type { Places } from "./place.ts";
import { llmsText, robotsText, searchIndex, sitemap } from "./site-index.ts";
import { typesPage } from "./types-page.ts";

const assets = new URL("../assets", import.meta.url).pathname;

/** Files of `styles`, in the order of the cascade. They become one file, so that a page needs one request. */
const styles = ["base", "layout", "reference", "controls", "narrow", "narrow-tables"];

/**
 * Path inside the site to text.
 *
 * @param domain - URL that the site is built for: it gives canonical links and a sitemap; null = any server
 */
export const emitSite = (places: Places, domain: string | null): ReadonlyMap<string, string> => {
  const { main, das } = places;
  const { contract } = main;
  const guides = readGuides();
  const guideLinks = guides.map(({ name, title }) => ({ path: guidePath(name), text: title }));
  const pages: readonly Page[] = [
    indexPage(main, guideLinks),
    ...guides.map(guidePage),
    ...contract.methods.map((method) => methodPage(main, method)),
    typesPage(main),
    dasPage(das),
    ...das.contract.methods.map((method) => methodPage(das, method)),
    typesPage(das),
    errorsPage(contract),
    ...Object.keys(contract.components.errors).map((name) => errorPage(contract, name)),
    boundsPage(),
    failuresPage(),
    changelogPage(readReleases()),
    explorePage,
  ];
  const html = (page: Page) => [page.path, pageHtml(places, guideLinks, page, domain)] as const;
  return new Map([
    ...[...pages, ...helpPages].map(html),
    ...pages
      .filter(({ markdown }) => markdown !== undefined)
      .map(({ path, markdown }) => [markdownPath(path), markdown!] as const),
    ["search.json", searchIndex(pages)],
    ["robots.txt", robotsText(domain)],
    ["llms.txt", llmsText(contract, pages)],
    ...(domain === null ? [] : [["sitemap.xml", sitemap(domain, pages)] as const]),
    ["site.css", styles.map(readStyle).join("\n")],
    ...assetFiles(),
  ]);
};

const readStyle = (name: string): string =>
  readFileSync(new URL(`../styles/${name}.css`, import.meta.url), "utf8");

const assetFiles = (): readonly (readonly [string, string])[] =>
  readdirSync(assets, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => [file.slice(assets.length + 1), readFileSync(file, "utf8")] as const);
