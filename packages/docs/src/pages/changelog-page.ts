import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { escape } from "./html.ts";
import type { Page } from "./layout.ts";
import { markdownHtml } from "./markdown.ts";

const repository = new URL("../../../..", import.meta.url).pathname;
const scope = "@lamplight/";
/** Packages that users name, in the order of the page. Their parts follow by name. */
const usersPackages: readonly string[] = ["cli", "server", "client", "testing", "das", "docs"];

interface Change {
  /** Markdown. */
  readonly text: string;
  /** Names without the scope. */
  readonly packages: readonly string[];
}

interface Release {
  readonly title: string;
  readonly changes: readonly Change[];
}

/**
 * The changes for users, newest first: changesets that are not released yet, then the changelogs that
 * `changeset version` writes. All packages have one version, and repeat the changes that they share.
 */
export const readReleases = (folder: string = repository): readonly Release[] => {
  const read = (pattern: string): readonly (readonly [file: string, text: string])[] =>
    globSync(pattern, { cwd: folder })
      .toSorted()
      .map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
  const pending = read(".changeset/*.md").flatMap(([, text]) => changeOf(text));
  const released = new Map<string, Map<string, string[]>>();
  for (const [file, text] of read("packages/*/CHANGELOG.md"))
    for (const section of text.split(/^## /mu).slice(1)) {
      const [version = "", ...lines] = section.split("\n");
      const known = released.get(version) ?? new Map<string, string[]>();
      for (const change of changesOf(lines.join("\n")))
        known.set(change, [...(known.get(change) ?? []), basename(dirname(file))]);
      released.set(version, known);
    }
  const newestFirst = [...released].toSorted(([one], [other]) => compareVersions(other, one));
  return [
    { title: "Not released yet", changes: pending },
    ...newestFirst.map(([title, changes]) => ({
      title,
      changes: [...changes].map(([text, packages]) => ({ text, packages })),
    })),
  ].filter(({ changes }) => changes.length > 0);
};

/** The change of a changeset; none in a file that is no changeset. */
const changeOf = (changeset: string): readonly Change[] => {
  const [, head, text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/u.exec(changeset) ?? [];
  if (head === undefined || text === undefined) return [];
  const packages = [...head.matchAll(/^"@lamplight\/([\w-]+)":/gmu)].map(([, name = ""]) => name);
  return [{ text: text.trim(), packages }];
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

/** A part of a release: the changes that are listed under one package. */
interface Section {
  readonly name: string;
  readonly changes: readonly string[];
}

/** Each change once: under the first of its packages in the order of the page, with the names of the others. */
const sectionsOf = (changes: readonly Change[]): readonly Section[] => {
  const sections = new Map<string, string[]>();
  for (const { text, packages } of changes) {
    const [name = "", ...others] = packages.toSorted(byPlace);
    const also = others.length === 0 ? "" : `\n\n*Also in ${others.join(", ")}.*`;
    sections.set(name, [...(sections.get(name) ?? []), text + also]);
  }
  return [...sections]
    .toSorted(([one], [other]) => byPlace(one, other))
    .map(([name, texts]) => ({ name: scope + name, changes: texts }));
};

const placeOf = (name: string): number => {
  const place = usersPackages.indexOf(name);
  return place === -1 ? usersPackages.length : place;
};

const byPlace = (one: string, other: string): number =>
  placeOf(one) - placeOf(other) || one.localeCompare(other, "en");

export const changelogPage = (releases: readonly Release[]): Page => {
  const parts = releases.map(({ title, changes }) => ({ title, sections: sectionsOf(changes) }));
  const head = `# Changelog

What changed for users, newest first. All packages have the same version. Each change is listed once, by package.
`;
  return {
    path: "changelog.html",
    title: "Changelog · Lamplight",
    description: "What changed for users in each release.",
    main: `<article>${markdownHtml(head)}${parts
      .map(({ title, sections }) => `\n${markdownHtml(`## ${title}`)}${sections.map(sectionHtml).join("")}`)
      .join("")}</article>`,
    markdown: `${head}${parts
      .map(({ title, sections }) => `\n## ${title}\n${sections.map(sectionMarkdown).join("")}`)
      .join("")}`,
  };
};

/** Closed, so that a release is a short list on a phone. */
const sectionHtml = ({ name, changes }: Section): string => `
<details>
<summary>${escape(name)} (${changes.length})</summary>
${markdownHtml(changes.join("\n\n"))}
</details>`;

const sectionMarkdown = ({ name, changes }: Section): string => `\n### ${name}\n\n${changes.join("\n\n")}\n`;
