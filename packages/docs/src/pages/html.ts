/** Text as it may be in HTML, also inside an attribute. */
export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const tokens =
  /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b|[^"\dtfn-]+|[\s\S]/g;

/** Indented JSON with its names, strings, numbers and words marked for colour. */
export const jsonHtml = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    tokens,
    (all: string, string?: string, colon?: string, number?: string, word?: string) => {
      if (string !== undefined) return colon === undefined ? mark("s", string) : mark("k", string) + colon;
      if (number !== undefined) return mark("n", number);
      return word === undefined ? escape(all) : mark("w", word);
    },
  );

const mark = (kind: string, text: string): string => `<span class="${kind}">${escape(text)}</span>`;

/** Inline code between backquotes and nothing else of Markdown. */
export const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

export interface Row {
  readonly id?: string;
  readonly cells: readonly string[];
}

/** A table whose first column heads its rows. Cells and headings are HTML. Where it does not fit, each row becomes a block. */
export const table = (caption: string, head: readonly string[], rows: readonly Row[]): string => `
<div class="scroll" tabindex="0" role="region" aria-label="${plainText(caption)}">
<table>
<caption class="quiet">${escape(caption)}</caption>
<thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((row) => rowHtml(head, row)).join("\n")}
</tbody>
</table>
</div>`;

/** A narrow page shows the heading of a cell before the cell. */
const rowHtml = (head: readonly string[], { id, cells: [first, ...rest] }: Row): string =>
  `<tr${id === undefined ? "" : ` id="${escape(id)}"`}><th scope="row">${first}</th>${rest.map((cell, index) => `<td data-label="${plainText(head[index + 1] ?? "")}">${cell}</td>`).join("")}</tr>`;

const plainText = (html: string): string => html.replaceAll(/<[^>]+>/gu, "").replaceAll('"', "&quot;");
