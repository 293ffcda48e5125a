import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";

const folder = "/dev/shm";
const mountsFile = "/proc/mounts";
/** The databases of all workers take less than half of it. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/** A folder in memory for the databases of tests; null where the system has none, or too little memory is free. */
export const memoryFolder = (): string | null => {
  if (!existsSync(mountsFile)) return null;
  const mounts = readFileSync(mountsFile, "utf8").split("\n");
  const [, , , options = "noexec"] =
    mounts.map((line) => line.split(" ")).find(([, at]) => at === folder) ?? [];
  // A server whose programs only root can run gets a copy of them next to its data.
  if (options.split(",").includes("noexec") || !isWritable()) return null;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, process.availableMemory()) < FREE_BYTES_MIN ? null : folder;
};

const isWritable = (): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};
