import { escape, table } from "./html.ts";

/** The Markdown of our own guides as HTML: headings, paragraphs, lists, tables, code, links, bold text. Nothing else is known. */
export const markdownHtml = (text: string): string => {
  const parts: string[] = [];
  let heading = "";
  // A fence may hold empty lines; everything else is separated by them.
  for (const part of text.split(/^(```[\s\S]*?^```)$/mu))
    if (part.startsWith("```")) parts.push(fenceHtml(part));
    else
      parts.push(
        ...part
          .split(/\n{2,}/u)
          .filter((block) => block.trim() !== "")
          .map((block) => {
            heading = /^#+ (.*)$/u.exec(block.trim())?.[1] ?? heading;
            return blockHtml(block.trim(), heading);
          }),
      );
  return parts.join("\n");
};

const fenceHtml = (fence: string): string => {
  const lines = fence.split("\n");
  // The first word: marks for tests may follow it.
  const language = lines[0]!.slice(3).split(" ")[0]!;
  const label = languages[language] ?? "";
  return `${label === "" ? "" : `<p class="label">${label}</p>`}<pre tabindex="0" data-language="${escape(language)}"><code>${escape(lines.slice(1, -1).join("\n"))}</code></pre>`;
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

/** @param heading - Markdown of the nearest heading: the caption of a table */
const blockHtml = (block: string, heading: string): string => {
  const title = /^(#{1,3}) (.*)$/u.exec(block);
  if (title !== null) {
    const level = title[1]!.length;
    const id = level === 1 ? "" : ` id="${slugOf(title[2]!)}"`;
    return `<h${level}${id}>${inline(title[2]!)}</h${level}>`;
  }
  if (block.startsWith("- "))
    return `<ul>${block
      .split(/^- /mu)
      .filter(Boolean)
      .map((item) => `<li>${inline(item.trim())}</li>`)
      .join("")}</ul>`;
  if (block.startsWith("|")) return tableHtml(heading, block.split("\n"));
  return `<p>${inline(block)}</p>`;
};

const cellsOf = (row: string): readonly string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => inline(cell.trim()));

const tableHtml = (heading: string, [head = "", , ...rows]: readonly string[]): string =>
  table(
    heading.replaceAll(/[`*]/gu, ""),
    cellsOf(head),
    rows.map((row) => ({ cells: cellsOf(row) })),
  );

/** Links between guides are written to the Markdown files, which lie next to the pages. */
const inline = (text: string): string =>
  escape(text)
    .replaceAll(/`(--[\w-]+)`/gu, '<code class="flag">$1</code>')
    .replaceAll(/`([^`]+)`/gu, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/gu, "<strong>$1</strong>")
    .replaceAll(
      /\[([^\]]+)\]\(([^)\s]+)\)/gu,
      (_all, name: string, target: string) =>
        `<a href="${target.replace(/^([\w-]+)\.md$/u, "$1.html")}">${name}</a>`,
    );

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
