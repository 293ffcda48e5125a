import { readFileSync } from "node:fs";
import { markdownHtml } from "./markdown.ts";
import type { Page } from "./layout.ts";

const changeset = new URL("../../../../.changeset/initial-release.md", import.meta.url).pathname;

/** What changed, for a user of the version before. */
export const changelogPage = (): Page => {
  const text = readFileSync(changeset, "utf8")
    .replace(/^---[\s\S]*?---\n/u, "")
    .trim();
  const markdown = `# Changes\n\n## Next version\n\n${text}\n`;
  return {
    path: "changelog.html",
    title: "Changes · Lamplight",
    description: "What changed from version to version.",
    main: `<article>${markdownHtml(markdown)}</article>`,
    markdown,
  };
};
