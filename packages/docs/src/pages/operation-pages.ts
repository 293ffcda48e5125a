import { readFileSync } from "node:fs";
import { prose, table } from "./html.ts";
import { contentsHtml, type Page } from "./layout.ts";
import { headingsOf, markdownHtml } from "./markdown.ts";
import { type BoundsFile, readBoundsFiles } from "./read-bounds.ts";

const folder = new URL("../../reference/", import.meta.url);

/** The page about what happens when a part fails. */
export const failuresPage = (): Page => {
  const markdown = readFileSync(new URL("failures.md", folder), "utf8");
  return {
    path: "failures.html",
    title: "Failures · Lamplight",
    description: "What happens when the process, the disk, the database or a source of the chain fails.",
    main: `<article>${markdownHtml(markdown)}</article>`,
    markdown,
  };
};

/** The page about who can spend what, with every bound that the code names. */
export const boundsPage = (): Page => {
  const markdown = readFileSync(new URL("bounds.md", folder), "utf8");
  const html = `${markdownHtml(markdown)}
<h2 id="constants">Constants</h2>
<p>These are the bounds of the code by file, as it writes them. Constants of one group share a description.</p>
${readBoundsFiles().map(fileHtml).join("\n")}`;
  return {
    path: "bounds.html",
    title: "Bounds · Lamplight",
    description:
      "What callers, chain content and upstreams can make a process spend, and what happens at each bound.",
    main: `<article>${html.replace("</h1>", `</h1>${contentsHtml(headingsOf(html))}`)}</article>`,
    markdown,
  };
};

const fileHtml = ({ path, bounds }: BoundsFile): string =>
  table(
    path,
    ["Name", "Value", "Meaning"],
    bounds.map(({ name, value, about }) => ({
      cells: [
        `<code>${name}</code>`,
        value === null ? "computed" : `<code>${prose(value)}</code>`,
        prose(about),
      ],
    })),
  );
