import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS_PER_SECOND = 100;

interface Process {
  readonly parent: number;
  /** User and system time of all threads, ended ones too. */
  readonly ownTicks: number;
  /** The same of the child processes that it has waited for. */
  readonly childTicks: number;
}

/** Null when it has ended, or where the system does not report it. */
export const readProcess = (path: string): Process | null => {
  try {
    const text = readFileSync(`/proc/${path}/stat`, "latin1");
    // The name in parentheses may hold spaces. After it: state, parent, …, and times as 12th to 15th field.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return {
      parent: fields[1]!,
      ownTicks: fields[11]! + fields[12]!,
      childTicks: fields[13]! + fields[14]!,
    };
  } catch {
    return null;
  }
};

/** Processor time of one process; NaN where the system does not report it. */
export const processSeconds = (pid: number): number =>
  (readProcess(String(pid))?.ownTicks ?? Number.NaN) / TICKS_PER_SECOND;

/** Processor time of each thread of a process, by its number. */
export const threadSeconds = (pid: number): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => [
      thread,
      (readProcess(`${pid}/task/${thread}`)?.ownTicks ?? Number.NaN) / TICKS_PER_SECOND,
    ]),
  );

/** Processor time of processes and of all their descendants, ended ones too. */
export const treeSeconds = (pids: readonly number[]): number => {
  if (pids.length === 0) return 0;
  const processes = new Map<number, Process>();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/u.test(one))) {
    const process = readProcess(name);
    if (process !== null) processes.set(Number(name), process);
  }
  let ticks = 0;
  const waiting = [...pids];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const process = processes.get(pid);
    ticks += process === undefined ? Number.NaN : process.ownTicks + process.childTicks;
    for (const [child, { parent }] of processes) if (parent === pid) waiting.push(child);
  }
  return ticks / TICKS_PER_SECOND;
};

/**
 * Processor time of the living threads of processes, finer than clock ticks: sixteen database sessions use a few
 * milliseconds each. NaN where the system does not report it.
 */
export const fineSeconds = (pids: readonly number[]): number => {
  try {
    return pids
      .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`))
      .reduce(
        (sum, path) => sum + Number(readFileSync(`${path}/schedstat`, "latin1").split(" ")[0]) / 1e9,
        0,
      );
  } catch {
    return Number.NaN;
  }
};
