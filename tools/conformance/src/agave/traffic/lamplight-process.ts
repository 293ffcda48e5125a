import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const main = join(import.meta.dirname, "../../../../../packages/cli/src/main.ts");
const OUTPUT_BYTES = 20_000;

/** A command of Lamplight, as an operator runs it. */
export class LamplightProcess {
  readonly #child: ChildProcess;
  #output = "";

  constructor(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const flags = ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];
    const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("LAMPLIGHT_"));
    this.#child = spawn(process.execPath, [...flags, main, ...args], {
      env: { ...Object.fromEntries(environment), ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on(
        "data",
        (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-OUTPUT_BYTES)),
      );
  }

  /** The end of what it printed. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async freeze(ms: number): Promise<void> {
    this.#child.kill("SIGSTOP");
    await sleep(ms);
    this.#child.kill("SIGCONT");
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (!this.isRunning) return;
    const exit = once(this.#child, "exit");
    this.#child.kill(signal);
    await exit;
  }

  /** Until it ends by itself; answers its exit code. */
  async exitCode(): Promise<number | null> {
    if (this.isRunning) await once(this.#child, "exit");
    return this.#child.exitCode;
  }
}
