import { readFileSync } from "node:fs";

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** User and system time of all threads of a process; null where the system does not report it. */
export const cpuSecondsOf = (pid: number): number | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th field after it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
};
