import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** User and system time of processes and of all their descendants, ended ones too. */
export const treeSeconds = (pids: readonly number[]): number => {
  if (pids.length === 0) return 0;
  const processes = readProcesses();
  let ticks = 0;
  const waiting = [...pids];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    ticks += processes.get(pid)?.ticks ?? Number.NaN;
    for (const [child, { parent }] of processes) if (parent === pid) waiting.push(child);
  }
  return ticks / TICKS_PER_SECOND;
};

interface Process {
  readonly parent: number;
  /** Of itself, and of the children that it has waited for. */
  readonly ticks: number;
}

const readProcesses = (): ReadonlyMap<number, Process> => {
  const processes = new Map<number, Process>();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/u.test(one))) {
    const process = readProcess(Number(name));
    if (process !== null) processes.set(Number(name), process);
  }
  return processes;
};

/** Null when it has ended. */
const readProcess = (pid: number): Process | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold spaces. After it: state, parent, …, and times as 12th to 15th field.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
};

/** The process whose children serve the sessions of a PostgreSQL on this machine. */
export const postgresPid = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const session = readProcess(rows[0]!.pid);
    if (session === null) throw new Error("the PostgreSQL of --store is not on this machine");
    return session.parent;
  } finally {
    await client.end();
  }
};
