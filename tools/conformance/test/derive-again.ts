import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Commitment, commitments, NewestAnswered, type Slot, type ViewSource } from "@lamplight/core";
import { SharedOverlay } from "@lamplight/indexer";
import { openStoreForReading } from "@lamplight/runtime";
import { expect } from "vitest";
import { answersOf } from "./two-rules.ts";

const OLD = 0;
const NEW = 1;

/** Counts what views answered; each answer must be wholly of one version, and none of the old one after the new. */
export class OneVersion {
  readonly counts = [0, 0];
  readonly #expected: ReadonlyMap<Slot, readonly string[]>;

  constructor(expected: ReadonlyMap<Slot, readonly string[]>) {
    this.#expected = expected;
  }

  async check(source: ViewSource, commitment: Commitment): Promise<void> {
    const view = await source.openView(commitment);
    try {
      const versions = this.#expected.get(view.slot);
      const version = versions?.indexOf(await answersOf(view)) ?? -1;
      expect([OLD, NEW], `${commitment} at ${view.slot}`).toContain(version);
      if (version === OLD) expect(this.counts[NEW], `old answers at ${view.slot}`).toBe(0);
      this.counts[version]! += 1;
    } finally {
      view.close();
    }
  }
}

/**
 * Runs a follower in a process of its own, reads all that time, and kills the process once its next set is filled that
 * far.
 *
 * @returns the last line of the process
 */
export const followUntil = async (
  url: string,
  slots: number,
  killAt: number,
  answers: OneVersion,
): Promise<string> => {
  const script = fileURLToPath(new URL("derive-next.ts", import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, script, url, `${slots}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reader = await openStoreForReading(url);
  const { unfinalized } = reader;
  // No answer is older than one before, as for the workers of a server.
  const answered = new NewestAnswered();
  const shared =
    unfinalized === null ? null : new SharedOverlay({ unfinalized, viewSource: reader, answered });
  const over = new AbortController();
  const read = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const commitment of commitments) await answers.check(shared ?? reader, commitment);
      // Reads of a file never wait: without this, the lines of the child would.
      await nextTurn();
    }
  };
  shared?.start();
  const reading = read();
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    if (Number(line.split(" ")[1]) >= killAt) child.kill("SIGKILL");
  }
  over.abort();
  await reading;
  await shared?.stop();
  reader.close();
  return last;
};
