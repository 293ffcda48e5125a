import { escape } from "./html.ts";

/** The Markdown of our own guides as HTML: headings, paragraphs, lists, tables, code, links, bold text. Nothing else is known. */
export const markdownHtml = (text: string): string => {
  const parts: string[] = [];
  // A fence may hold empty lines; everything else is separated by them.
  for (const part of text.split(/^(```[\s\S]*?^```)$/mu))
    if (part.startsWith("```")) parts.push(fenceHtml(part));
    else
      parts.push(
        ...part
          .split(/\n{2,}/u)
          .filter((block) => block.trim() !== "")
          .map((block) => blockHtml(block.trim())),
      );
  return parts.join("\n");
};

const fenceHtml = (fence: string): string => {
  const lines = fence.split("\n");
  return `<pre tabindex="0" data-language="${escape(lines[0]!.slice(3))}"><code>${escape(lines.slice(1, -1).join("\n"))}</code></pre>`;
};

const blockHtml = (block: string): string => {
  const heading = /^(#{1,3}) (.*)$/u.exec(block);
  if (heading !== null) {
    const level = heading[1]!.length;
    const id = level === 1 ? "" : ` id="${slugOf(heading[2]!)}"`;
    return `<h${level}${id}>${inline(heading[2]!)}</h${level}>`;
  }
  if (block.startsWith("- "))
    return `<ul>${block
      .split(/^- /mu)
      .filter(Boolean)
      .map((item) => `<li>${inline(item.trim())}</li>`)
      .join("")}</ul>`;
  if (block.startsWith("|")) return tableHtml(block.split("\n"));
  return `<p>${inline(block)}</p>`;
};

const cellsOf = (row: string): readonly string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => inline(cell.trim()));

const tableHtml = ([head = "", , ...rows]: readonly string[]): string => {
  const headings = cellsOf(head).map((cell) => `<th scope="col">${cell}</th>`);
  const lines = rows.map(
    (row) =>
      `<tr>${cellsOf(row)
        .map((cell) => `<td>${cell}</td>`)
        .join("")}</tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escape(head.replaceAll("|", " ").trim())}"><table>
<thead><tr>${headings.join("")}</tr></thead>
<tbody>${lines.join("\n")}</tbody>
</table></div>`;
};

/** Links between guides are written to the Markdown files, which lie next to the pages. */
const inline = (text: string): string =>
  escape(text)
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
