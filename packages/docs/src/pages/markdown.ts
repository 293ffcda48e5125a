import { Marked, type RendererObject } from "marked";
import { escape, table } from "./html.ts";

/** The Markdown of guides and changes as HTML of our pages: labelled code, tables with a caption, headings with an id. */
export const markdownHtml = (text: string): string => {
  // The plain text of the nearest heading is the caption of a table.
  let heading = "";
  const renderer: RendererObject = {
    heading({ tokens, depth, text: source }) {
      heading = source.replaceAll(/[`*]/gu, "");
      const id = depth === 1 ? "" : ` id="${slugOf(source)}"`;
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text: code, lang = "" }) {
      // The first word: marks for tests may follow it.
      const language = lang.split(" ")[0]!;
      const label = languages[language] ?? "";
      return `${label === "" ? "" : `<p class="label">${label}</p>`}<pre tabindex="0" data-language="${escape(language)}"><code>${escape(code)}</code></pre>\n`;
    },
    codespan: ({ text: code }) =>
      `<code${/^--[\w-]+$/u.test(code) ? ' class="flag"' : ""}>${escape(code)}</code>`,
    // Our texts have no HTML of their own: what resembles it is shown as it is written.
    html: ({ text: html }) => escape(html),
    link({ href, tokens }) {
      // Links between guides are written to the Markdown files, which lie next to the pages.
      return `<a href="${escape(href.replace(/^([\w-]+)\.md$/u, "$1.html"))}">${this.parser.parseInline(tokens)}</a>`;
    },
    table({ header, rows }) {
      const inline = (cells: typeof header) => cells.map(({ tokens }) => this.parser.parseInline(tokens));
      return `${table(
        heading,
        inline(header),
        rows.map((cells) => ({ cells: inline(cells) })),
      )}\n`;
    },
  };
  return new Marked({ async: false, gfm: true, renderer }).parse(text, { async: false }).trimEnd();
};

const languages: Readonly<Record<string, string>> = {
  sh: "Terminal",
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  py: "Python",
  rs: "Rust",
  json: "JSON",
  text: "Output",
};

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");

/** Headings below the title, for the contents of a page. */
export const headingsOf = (html: string): readonly { readonly id: string; readonly text: string }[] =>
  [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gu)].map(([, id = "", text = ""]) => ({
    id,
    text: text.replaceAll(/<[^>]+>/gu, ""),
  }));
