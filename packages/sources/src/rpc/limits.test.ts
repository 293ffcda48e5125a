import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const limits = new URL("limits.ts", import.meta.url).href;
const MIB = 1024 ** 2;

/** Reads the bounds in a process of its own, because a process reads the setting once. */
const boundsWith = (memoryBytes: number): unknown => {
  const script = `import { answerBytesMax, scanBytesMax } from ${JSON.stringify(limits)}; console.log(JSON.stringify([answerBytesMax(), scanBytesMax()]))`;
  const flags = ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];
  const env = { ...process.env, LAMPLIGHT_MEMORY_BYTES: String(memoryBytes) };
  return JSON.parse(
    execFileSync(process.execPath, [...flags, "--input-type=module", "-e", script], {
      env,
      encoding: "utf8",
    }),
  );
};

test.each([
  [512 * MIB, [32 * MIB, 64 * MIB]],
  [2048 * MIB, [64 * MIB, 256 * MIB]],
  [65_536 * MIB, [256 * MIB, 480 * MIB]],
])("what one answer of a node may take follows the memory: %i", (memoryBytes, bounds) => {
  expect(boundsWith(memoryBytes)).toEqual(bounds);
});
