import { reads } from "@lamplight/core";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CRASH_ACCOUNTS, crashAccount, crashAsset } from "../chain/crash-chain.ts";
import { type StoreUnderTest, withView } from "../store-under-test.ts";

/** A store brings these so that its writer can be killed in a process of its own. */
export interface CrashSetup {
  /** A new empty place, as text that another process can open. */
  createLocation(): Promise<string>;
  /** Module that exports `openWriter(location): Promise<IndexStore>`. */
  readonly writerModule: URL;
  /** Opens the place in this process. */
  open(location: string): Promise<StoreUnderTest>;
  /** Opens only a reader in this process, while another one writes. */
  openReader(location: string): Promise<Omit<StoreUnderTest, "store">>;
}

/** Slots after whose receipt the writer is killed, at once or a little later. */
const killAfterSlots = [1, 2, 3, 5, 8, 13];
const killDelaysMs = [0, 1, 2, 3, 5, 8];

export const describeCrashes = (setup: CrashSetup): void => {
  describe("a writer in another process", () => describeReadingBeside(setup));
  describe("a writer killed in the middle of commits", () => {
    test("leaves a whole slot: the last one reported, or the one in flight", async () => {
      const location = await setup.createLocation();
      let slot = 0;
      for (const [index, after] of killAfterSlots.entries()) {
        const reported = await writeUntilKilled(setup, location, slot + after, killDelaysMs[index] ?? 0);
        slot = await checkCompleteSlot(await setup.open(location), reported);
      }
    });
  });
};

/** Slots that the other process writes while this one reads. */
const SLOTS_READ_BESIDE = 30;

const describeReadingBeside = (setup: CrashSetup): void => {
  test("shows readers of other processes whole slots only, never an older one after a newer", async () => {
    const location = await setup.createLocation();
    const writer = startWriter(setup, location);
    const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const under = await setup.openReader(location);
    try {
      let newest = 0;
      for (let reported = 0; reported < SLOTS_READ_BESIDE; reported = Number((await lines.next()).value)) {
        const view = await under.reader.openView("finalized");
        expect(view.slot).toBeGreaterThanOrEqual(Math.max(newest, reported));
        newest = view.slot;
        for (let which = 0; which < CRASH_ACCOUNTS; which += 50) {
          // Gives the writer time to commit between two reads of one view.
          await lines.next();
          const account = crashAccount(which, view.slot);
          expect(await view.read(reads.account(account.address))).toEqual(account);
        }
        view.close();
      }
      expect(newest).toBeGreaterThan(1);
    } finally {
      writer.kill("SIGKILL");
      await under.close();
    }
  });
};

/** The last slot whose receipt the writer had before it was killed. */
const writeUntilKilled = async (
  setup: CrashSetup,
  location: string,
  lastSlot: number,
  delayMs: number,
): Promise<number> => {
  const writer = startWriter(setup, location);
  const exited = once(writer, "exit");
  let reported = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    reported = Number(line);
    // The delay only spreads the moment of death over the next commit; no answer depends on it.
    if (reported === lastSlot) setTimeout(() => writer.kill("SIGKILL"), delayMs);
  }
  const [, signal] = (await exited) as [number | null, string | null];
  expect(signal, "the writer must die of the kill, not of itself").toBe("SIGKILL");
  return reported;
};

const startWriter = (setup: CrashSetup, location: string): ChildProcessByStdio<null, Readable, null> => {
  const script = fileURLToPath(new URL("../crash-writer.ts", import.meta.url));
  return spawn(process.execPath, [...process.execArgv, script, setup.writerModule.href, location], {
    stdio: ["ignore", "pipe", "inherit"],
  });
};

const checkCompleteSlot = async (under: StoreUnderTest, reported: number): Promise<number> => {
  try {
    const slot = (await under.store.readWatermark())?.slot ?? 0;
    expect([reported, reported + 1]).toContain(slot);
    await withView(under, async (view) => {
      expect(view.slot).toBe(slot);
      for (let which = 0; which < CRASH_ACCOUNTS; which += 1) {
        const account = crashAccount(which, slot);
        expect(await view.read(reads.account(account.address))).toEqual(account);
      }
      const asset = crashAsset(slot);
      expect((await view.read(reads.ownAsset(asset.id)))?.document).toBe(asset.document);
      expect(view.terms.changeSeq).toBe(slot);
    });
    expect(await under.store.checkIntegrity()).toEqual([]);
    return slot;
  } finally {
    await under.close();
  }
};
