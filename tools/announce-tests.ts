import type { Reporter, TestSpecification } from "vitest/node";

/** Seconds that one file of a project takes on a quiet machine with two cores, both in use. Measured; for the forecast alone. */
const secondsPerFile: Readonly<Record<string, number>> = {
  unit: 0.3,
  store: 1.5,
  postgres: 8,
  process: 4,
  chaos: 20,
};

/** Prints at the start of a run what it will run and about how long that takes. */
export const announceTests: Reporter = {
  onTestRunStart: (specifications) => {
    const files = filesByProject(specifications);
    const parts = [...files].map(([project, count]) => `${count} ${project}`);
    const seconds = [...files].reduce(
      (sum, [project, count]) => sum + count * (secondsPerFile[project] ?? 1),
      0,
    );
    console.log(
      `Running ${parts.join(", ")} test files: about ${durationText(seconds)} on two quiet cores.\n`,
    );
  },
};

const filesByProject = (specifications: readonly TestSpecification[]): Map<string, number> => {
  const files = new Map<string, number>();
  for (const { project } of specifications) files.set(project.name, (files.get(project.name) ?? 0) + 1);
  return files;
};

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds / 10) * 10} seconds` : `${Math.ceil(seconds / 60)} minutes`;
