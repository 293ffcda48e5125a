import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { changelogPage, readReleases } from "./changelog-page.ts";

const files = {
  ".changeset/README.md": "# Changesets\n\nHow to write one.\n",
  ".changeset/soon.md":
    '---\n"@lamplight/core": patch\n"@lamplight/client": minor\n---\n\nAdded a method.\n\n- It is **fast**.\n',
  "packages/client/CHANGELOG.md": `# @lamplight/client

## 0.10.0

### Minor Changes

- 0123abc: Answers are shorter.

  - Only where they can be,
    and nowhere else.

## 0.9.0

### Patch Changes

- 4567def: Fixed <b>.
- Updated dependencies
  - @lamplight/errors@0.9.0
`,
  "packages/core/CHANGELOG.md":
    "# @lamplight/core\n\n## 0.10.0\n\n### Minor Changes\n\n- 0123abc: Answers are shorter.\n\n  - Only where they can be,\n    and nowhere else.\n\n### Patch Changes\n\n- 89abcde: Sorts faster.\n",
};

test("lists what is not released yet, then each version once, with the changes of all packages", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-changelog-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const releases = readReleases(folder);
    expect(releases).toEqual([
      {
        title: "Not released yet",
        changes: [{ text: "Added a method.\n\n- It is **fast**.", packages: ["core", "client"] }],
      },
      {
        title: "0.10.0",
        changes: [
          {
            text: "Answers are shorter.\n\n- Only where they can be,\n  and nowhere else.",
            packages: ["client", "core"],
          },
          { text: "Sorts faster.", packages: ["core"] },
        ],
      },
      { title: "0.9.0", changes: [{ text: "Fixed <b>.", packages: ["client"] }] },
    ]);
    const { main, markdown } = changelogPage(releases);
    // Each change is once on the page: under the package that users name.
    expect([...main.matchAll(/<summary>([^<]*)/gu)].map(([, name]) => name)).toEqual([
      "@lamplight/client (1)",
      "@lamplight/client (1)",
      "@lamplight/core (1)",
      "@lamplight/client (1)",
    ]);
    expect(main.match(/<em>Also in core\.<\/em>/gu)).toHaveLength(2);
    expect(main.match(/Sorts faster/gu)).toHaveLength(1);
    expect(markdown).toContain("## 0.10.0\n\n### @lamplight/client\n\nAnswers are shorter.");
    expect(main).toContain("<li>It is <strong>fast</strong>.</li>");
    expect(main).toContain("<p>Fixed &lt;b&gt;.</p>");
    expect([...main.matchAll(/<h2[^>]*>([^<]*)/gu)].map(([, title]) => title)).toEqual([
      "Not released yet",
      "0.10.0",
      "0.9.0",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
