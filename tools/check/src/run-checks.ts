import { spawn } from "node:child_process";

/** A named check: a command that succeeds or fails. */
export interface Check {
  readonly name: string;
  readonly command: string;
}

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Output of both streams. */
  readonly output: string;
}

/**
 * Runs checks side by side, and all of them, whether or not one fails.
 *
 * @param atOnce - how many run at a time
 * @param onEnd - called when a check has ended
 * @returns the results in the order of the checks
 */
export const runChecks = async (
  checks: readonly Check[],
  atOnce: number,
  onEnd: (result: CheckResult) => void = () => undefined,
): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = [];
  const waiting = [...checks.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, check] = next;
      const result = await runCheck(check);
      results[index] = result;
      onEnd(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  return results;
};

const runCheck = ({ name, command }: Check): Promise<CheckResult> =>
  new Promise((resolve) => {
    const startMs = performance.now();
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("close", (code) => {
      const seconds = (performance.now() - startMs) / 1000;
      resolve({ name, passed: code === 0, seconds, output: Buffer.concat(chunks).toString() });
    });
  });
