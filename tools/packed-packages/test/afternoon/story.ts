import { Afternoon, type AfternoonOptions } from "./afternoon.ts";
import type { Step } from "./step.ts";
import { breakClock } from "./steps/break-clock.ts";
import { breakDatabase } from "./steps/break-database.ts";
import { breakDisk } from "./steps/break-disk.ts";
import { breakKeyFile } from "./steps/break-key-file.ts";
import { breakUpstream } from "./steps/break-upstream.ts";
import { end } from "./steps/end.ts";
import { exceedLimits } from "./steps/exceed-limits.ts";
import { followAndServe } from "./steps/follow-and-serve.ts";
import { loadSnapshot } from "./steps/load-snapshot.ts";
import { rotateUnderLoad } from "./steps/rotate-under-load.ts";
import { upgrade } from "./steps/upgrade.ts";

const steps: readonly Step[] = [
  loadSnapshot,
  followAndServe,
  exceedLimits,
  rotateUnderLoad,
  breakKeyFile,
  breakUpstream,
  breakDisk,
  breakDatabase,
  breakClock,
  upgrade,
  end,
];

/** Runs all steps, one after the other, and says which one it is at. */
export const runAfternoon = async (options: AfternoonOptions, say: (line: string) => void): Promise<void> => {
  const afternoon = await Afternoon.begin(options);
  try {
    for (const [index, { title, leftOut, run }] of steps.entries()) {
      const reason = leftOut?.(afternoon) ?? null;
      say(`${index + 1} of ${steps.length}: ${title}${reason === null ? "" : ` (left out: ${reason})`}`);
      if (reason === null) await run(afternoon);
      await afternoon.expectCounted();
    }
  } finally {
    await afternoon.end();
  }
};
