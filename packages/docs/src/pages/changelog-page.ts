import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "./layout.ts";
import { markdownHtml } from "./markdown.ts";

const repository = new URL("../../../..", import.meta.url).pathname;

interface Release {
  readonly title: string;
  /** Markdown, one text a change. */
  readonly changes: readonly string[];
}

/**
 * The changes for users, newest first: changesets that are not released yet, then the changelogs that
 * `changeset version` writes. All packages have one version, and repeat the changes that they share.
 */
export const readReleases = (folder: string = repository): readonly Release[] => {
  const read = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: folder })
      .toSorted()
      .map((file) => readFileSync(join(folder, file), "utf8"));
  const pending = read(".changeset/*.md").flatMap(
    (text) => /^---\n[\s\S]*?\n---\n([\s\S]*)$/u.exec(text)?.[1] ?? [],
  );
  const released = new Map<string, Set<string>>();
  for (const text of read("packages/*/CHANGELOG.md"))
    for (const section of text.split(/^## /mu).slice(1)) {
      const [version = "", ...lines] = section.split("\n");
      const known = released.get(version) ?? new Set();
      for (const change of changesOf(lines.join("\n"))) known.add(change);
      released.set(version, known);
    }
  const newestFirst = [...released].toSorted(([one], [other]) => compareVersions(other, one));
  return [
    { title: "Not released yet", changes: pending.map((text) => text.trim()) },
    ...newestFirst.map(([title, changes]) => ({ title, changes: [...changes] })),
  ].filter(({ changes }) => changes.length > 0);
};

/** Each is an item that begins with the hash of its commit; new versions of our own packages are no change. */
const changesOf = (section: string): readonly string[] =>
  section
    .replaceAll(/^### .*$/gmu, "")
    .split(/^- /mu)
    .slice(1)
    .filter((item) => !item.startsWith("Updated dependencies") && !item.startsWith("@lamplight/"))
    .map((item) =>
      item
        .replace(/^[0-9a-f]{7,40}: /u, "")
        .replaceAll(/^ {2}/gmu, "")
        .trim(),
    );

const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, "en", { numeric: true });

export const changelogPage = (releases: readonly Release[]): Page => {
  const markdown = `# Changelog

What changed for users, newest first. All packages have the same version.

${releases.map(({ title, changes }) => `## ${title}\n\n${changes.join("\n\n")}\n`).join("\n")}`;
  return {
    path: "changelog.html",
    title: "Changelog · Lamplight",
    description: "What changed for users in each release.",
    main: `<article>${markdownHtml(markdown)}</article>`,
    markdown,
  };
};
