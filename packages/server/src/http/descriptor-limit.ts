import { readFileSync } from "node:fs";

import type { Log } from "../log/log.ts";

/** Descriptors for everything but connections: the store's files and sessions, logs, standard streams. */
const RESERVED_MAX = 128;

/** Open files that this process may have; null where the system does not say. */
const descriptorLimit = (): number | null => {
  try {
    const soft = /^Max open files\s+(\d+)/mu.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
};

/** The connections that fit into the descriptor limit. Fewer than the setting are worth a warning. */
export const fitConnections = (connections: number, log: Log): number => {
  const descriptors = descriptorLimit();
  if (descriptors === null) return connections;
  const fitting = descriptors - Math.min(RESERVED_MAX, Math.floor(descriptors / 2));
  if (connections <= fitting) return connections;
  log.warn(
    { descriptors, connections, accepted: fitting },
    "the limit of open files is too low for limits.connections: fewer connections are accepted; raise it (ulimit -n)",
  );
  return fitting;
};
