import { relative } from "node:path";
import type { Reporter, TestModule, TestSpecification } from "vitest/node";

/** Seconds that one file of a project takes on a quiet machine with two cores, both in use. Measured; for the forecast alone. */
const secondsPerFile: Readonly<Record<string, number>> = {
  unit: 0.2,
  shared: 1,
  postgres: 6,
  process: 3,
  chaos: 14,
  alone: 60,
};

/** Files that are named at the end of a run. */
const SLOWEST = 15;

/** Prints at the start of a run what it will run and about how long that takes, and at its end what took longest. */
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
  onTestRunEnd: (modules) => {
    if (modules.length <= SLOWEST) return;
    const slowest = modules
      .map((module) => ({ module, seconds: secondsOf(module) }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, SLOWEST);
    const total = modules.reduce((sum, module) => sum + secondsOf(module), 0);
    console.log(`\nSlowest of ${modules.length} test files, which took ${Math.round(total)} s together:`);
    for (const { module, seconds } of slowest)
      console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${relative(process.cwd(), module.moduleId)}`);
  },
};

/** Seconds that a file took: imports, hooks and tests. */
const secondsOf = (module: TestModule): number => {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return (collectDuration + duration + setupDuration) / 1000;
};

const filesByProject = (specifications: readonly TestSpecification[]): Map<string, number> => {
  const files = new Map<string, number>();
  for (const { project } of specifications) files.set(project.name, (files.get(project.name) ?? 0) + 1);
  return files;
};

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds / 10) * 10} seconds` : `${Math.ceil(seconds / 60)} minutes`;
