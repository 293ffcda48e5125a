// `npm run check [-- NAME…]`: runs the scripts `check:NAME` of the root package, all or those that are named.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Check, type CheckResult, runChecks } from "./run-checks.ts";

const prefix = "check:";
/** Writes files that the others read, so it runs before them. */
const first = "generated";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const checks = Object.entries(scripts)
  .filter(([script]) => script.startsWith(prefix))
  .map(([script, command]): Check => ({ name: script.slice(prefix.length), command }));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`no check ${unknown.join(", ")}; there are ${checks.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const chosen = checks.filter(({ name }) => names.length === 0 || names.includes(name));
const onEnd = ({ name, passed, seconds, output }: CheckResult): void => {
  console.log(`${passed ? "passed" : "FAILED"}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s`);
  if (!passed) console.log(`\n${output.trimEnd()}\n`);
};
const results = [
  ...(await runChecks(
    chosen.filter(({ name }) => name === first),
    1,
    onEnd,
  )),
  ...(await runChecks(
    chosen.filter(({ name }) => name !== first),
    availableParallelism(),
    onEnd,
  )),
];
const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
if (failed.length > 0) {
  console.log(`\n${failed.length} of ${results.length} checks failed: ${failed.join(", ")}`);
  console.log(`Run them again with: npm run check -- ${failed.join(" ")}`);
  process.exitCode = 1;
}
