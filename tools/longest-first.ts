import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of a minute and more, the longest first, as the end of a run names them. */
const longFiles = [
  "tools/packed-packages/src/afternoon.test.ts",
  "packages/store-shards/src/conformance.pg.test.ts",
  "tools/conformance/src/suites/suites.pg.test.ts",
  "packages/cli/src/commands/kill-shards.pg.test.ts",
  "packages/store-postgres/src/conformance.pg.test.ts",
  "packages/cli/src/commands/follow-standby.pg.test.ts",
  "packages/cli/src/readme.test.ts",
  "packages/runtime/src/follow/coverage-changes.test.ts",
  "packages/cli/src/commands/serve-workers.pg.test.ts",
  "tools/packed-packages/src/packed-packages.test.ts",
  "packages/cli/src/commands/kill.pg.chaos.test.ts",
  "packages/runtime/src/follow/coverage-changes.pg.test.ts",
  "packages/cli/src/commands/load-snapshot-shards.pg.test.ts",
  "packages/cli/src/commands/serve.test.ts",
];

const root = fileURLToPath(new URL("..", import.meta.url));

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longFiles.indexOf(relative(root, moduleId));
  return place === -1 ? longFiles.length : place;
};

/**
 * Starts the long files first. Vitest knows how long a file took only where it has run before, and takes the size of the
 * file otherwise. A long file that starts last leaves all workers but one without work.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const file of longFiles)
      if (!existsSync(join(root, file)))
        throw new Error(`tools/longest-first.ts names ${file}, which is gone`);
    // oxlint-disable-next-line unicorn/no-array-sort -- it sorts no array in place, but is the method that this one extends
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
