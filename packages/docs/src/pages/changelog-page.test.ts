import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { changelogPage, readReleases } from "./changelog-page.ts";

const files = {
  ".changeset/README.md": "# Changesets\n\nHow to write one.\n",
  ".changeset/soon.md": '---\n"@lamplight/client": minor\n---\n\nAdded a method.\n\n- It is **fast**.\n',
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
      { title: "Not released yet", changes: ["Added a method.\n\n- It is **fast**."] },
      {
        title: "0.10.0",
        changes: ["Answers are shorter.\n\n- Only where they can be,\n  and nowhere else.", "Sorts faster."],
      },
      { title: "0.9.0", changes: ["Fixed <b>."] },
    ]);
    const { main } = changelogPage(releases);
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
