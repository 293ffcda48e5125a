import { escape } from "./html.ts";
import { methodPath, type Place, type Places, rootOf } from "./place.ts";

export interface Page {
  /** Path inside the site. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** HTML of the page's own part. */
  readonly main: string;
  /** The same for readers without a browser, served next to the page. */
  readonly markdown?: string;
  /** Script and style sheet of the page itself, in addition to those of all pages. */
  readonly script?: string;
  readonly style?: string;
  /** True where the page takes the whole width, without the navigation. */
  readonly isWide?: boolean;
  /** Links lead from the root of the server: the page is shown at any path. */
  readonly isAnywhere?: boolean;
}

/** A link of the navigation. */
export interface NavLink {
  readonly path: string;
  readonly text: string;
}

const groupTitles: readonly (readonly [tag: string, title: string])[] = [
  ["accounts", "Accounts and tokens"],
  ["assets", "Assets"],
];

/** The frame around every page. Paths are relative, so that the site can be served anywhere. */
export const pageHtml = (
  places: Places,
  guides: readonly NavLink[],
  page: Page,
  domain: string | null,
): string => {
  const { path, title, description, main, isAnywhere = false, isWide = false } = page;
  const { contract } = places.main;
  const root = isAnywhere ? "/" : rootOf(path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
<meta name="description" content="${escape(description)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${domain === null || isAnywhere ? "" : `<link rel="canonical" href="${escape(canonicalUrl(domain, path))}">`}
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}site.css">
<script src="${root}theme.js"></script>
${page.style === undefined ? "" : `<link rel="stylesheet" href="${root}${page.style}">`}
<script type="module" src="${root}site.js"></script>
${page.script === undefined ? "" : `<script type="module" src="${root}${page.script}"></script>`}
${page.markdown === undefined ? "" : `<link rel="alternate" type="text/markdown" href="${root}${markdownPath(path)}">`}
</head>
<body data-root="${root}">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
${isWide ? "" : `<input type="checkbox" id="menu" class="menu-switch"><label for="menu" class="menu-label">Menu</label>`}
<a class="brand" href="${root}index.html"><img src="${root}icon.svg" alt="" width="22" height="22"> Lamplight</a>
<span class="quiet version">${escape(contract.info.version)}</span>
<span class="grow"></span>
<a href="${root}explore/index.html">Explorer</a>
<button type="button" id="search" aria-keyshortcuts="Control+K /">Search <kbd>Ctrl K</kbd></button>
<a class="wide" href="${root}types.html">Types</a>
<a class="wide" href="${root}errors.html">Errors</a>
<a class="playground" data-playground="v3" hidden rel="noopener">Playground</a>
<button type="button" id="theme" aria-label="Switch between light and dark">◐</button>
</header>
${isWide ? `<main id="main"><div class="explore">${main}</div></main>` : framed(places, guides, root, path, main)}
<footer class="quiet">Generated from <a href="${root}openrpc.json">openrpc.json</a>, version ${escape(contract.info.version)}.</footer>
</body>
</html>
`;
};

/** The URL of a page of the site at a domain. */
export const canonicalUrl = (domain: string, path: string): string =>
  new URL(path.replace(/(^|\/)index\.html$/u, "$1"), `${domain.replace(/\/$/u, "")}/`).href;

export const markdownPath = (path: string): string => path.replace(/\.html$/u, ".md");

/** A list of the headings of a page. */
export const contentsHtml = (headings: readonly { readonly id: string; readonly text: string }[]): string =>
  headings.length < 2
    ? ""
    : `<ul class="contents" aria-label="On this page">${headings.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join("")}</ul>`;

const framed = (
  places: Places,
  guides: readonly NavLink[],
  root: string,
  path: string,
  main: string,
): string => `<div class="frame">
<nav aria-label="Pages">
<ul>
${navItem("index.html", "Overview", path, root)}
</ul>
<h2>Guides</h2>
<ul>
${guides.map((guide) => navItem(guide.path, guide.text, path, root)).join("\n")}
</ul>
${groupTitles.map(([tag, name]) => navGroup(places.main, tag, name, path, root)).join("\n")}
${navDas(places.das, path, root)}
<h2>Reference</h2>
<ul>
${navItem("types.html", "Types", path, root)}
${navItem("errors.html", "Errors", path, root)}
${navItem("bounds.html", "Bounds", path, root)}
${navItem("failures.html", "Failures", path, root)}
${navItem("changelog.html", "Changelog", path, root)}
</ul>
</nav>
<main id="main">
${main}
</main>
</div>`;

const navGroup = (place: Place, tag: string, title: string, path: string, root: string): string => {
  const items = place.contract.methods
    .filter(({ tags }) => tags.some(({ name }) => name === tag))
    .map(({ name }) => navItem(methodPath(name, place), name, path, root));
  return `<h2>${escape(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
};

/** The methods are listed on the pages of their contract; others have a link to its overview. */
const navDas = (das: Place, path: string, root: string): string => {
  const methods = path.startsWith(das.folder) ? das.contract.methods : [];
  const items = [
    navItem(`${das.folder}index.html`, "DAS overview", path, root),
    ...methods.map(({ name }) => navItem(methodPath(name, das), name, path, root)),
  ];
  return `<h2>DAS methods</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
};

const navItem = (target: string, text: string, path: string, root: string): string => {
  const current = target === path ? ' aria-current="page"' : "";
  return `<li><a href="${root}${target}"${current}>${escape(text)}</a></li>`;
};
