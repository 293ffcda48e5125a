import type { Contract } from "../contract-model.ts";
import { escape } from "./html.ts";

export interface Page {
  /** Path inside the site. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** HTML of the page's own part. */
  readonly main: string;
}

const groupTitles: readonly (readonly [tag: string, title: string])[] = [
  ["accounts", "Accounts and tokens"],
  ["assets", "Assets"],
];

/** The frame around every page. Paths are relative, so that the site can be served anywhere. */
export const pageHtml = (contract: Contract, { path, title, description, main }: Page): string => {
  const root = rootOf(path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
<meta name="description" content="${escape(description)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}site.css">
<script src="${root}theme.js"></script>
<script type="module" src="${root}site.js"></script>
</head>
<body data-root="${root}">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="${root}index.html"><img src="${root}icon.svg" alt="" width="22" height="22"> Lamplight</a>
<span class="quiet version">${escape(contract.info.version)}</span>
<span class="grow"></span>
<a class="wide" href="${root}types.html">Types</a>
<a class="wide" href="${root}errors.html">Errors</a>
<a class="playground" data-playground hidden rel="noopener">Playground</a>
<button type="button" id="theme" aria-label="Switch between light and dark">◐</button>
</header>
<div class="frame">
<nav aria-label="Reference">
${groupTitles.map(([tag, name]) => navGroup(contract, tag, name, path)).join("\n")}
<h2>Reference</h2>
<ul>
${navItem("index.html", "Overview", path)}
${navItem("types.html", "Types", path)}
${navItem("errors.html", "Errors", path)}
</ul>
</nav>
<main id="main">
${main}
</main>
</div>
<footer class="quiet">Generated from <a href="${root}openrpc.json">openrpc.json</a>, version ${escape(contract.info.version)}.</footer>
</body>
</html>
`;
};

/** The way from a page to the site's root. */
const rootOf = (path: string): string => "../".repeat(path.split("/").length - 1);

const navGroup = (contract: Contract, tag: string, title: string, path: string): string => {
  const items = contract.methods
    .filter(({ tags }) => tags.some(({ name }) => name === tag))
    .map(({ name }) => navItem(methodPath(name), name, path));
  return `<h2>${escape(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
};

const navItem = (target: string, text: string, path: string): string => {
  const current = target === path ? ' aria-current="page"' : "";
  return `<li><a href="${rootOf(path)}${target}"${current}>${escape(text)}</a></li>`;
};

export const methodPath = (method: string): string => `methods/${method}.html`;
