import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { headingsOf, markdownHtml } from "./markdown.ts";
import { contentsHtml, type Page } from "./layout.ts";

const folder = new URL("../../guides", import.meta.url).pathname;

export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** In the order in which a new reader needs them; what is not listed comes after them. */
const order = [
  "test-your-app",
  "wallet-nfts",
  "wallet-collections",
  "collection-pages",
  "fungible-balances",
  "compressed-assets",
  "editions",
  "accounts",
];

const last = "questions";

const rankOf = (name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length + (name === last ? 1 : 0);

export const readGuides = (): readonly Guide[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return { name: file.slice(0, -".md".length), title: /^# (.*)$/mu.exec(text)![1]!, text };
    })
    .toSorted((one, other) => rankOf(one.name) - rankOf(other.name) || one.name.localeCompare(other.name));

/** A search result shows the words of Markdown, without marks and addresses of links. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll("`", "")
    .replaceAll("\n", " ");

export const guidePath = (name: string): string => `guides/${name}.html`;

export const guidePage = ({ name, title, text }: Guide): Page => {
  const html = markdownHtml(text);
  return {
    path: guidePath(name),
    title: `${title} · Lamplight`,
    description: plainText(text.split("\n\n")[1]!),
    main: `<article>${html.replace("</h1>", `</h1>${contentsHtml(headingsOf(html))}`)}</article>`,
    markdown: text,
  };
};
