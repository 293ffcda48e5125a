import { existsSync } from "node:fs";
import { join } from "node:path";

/** The programs that the stories use. */
export const metaplexPrograms = {
  core: "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d",
  tokenMetadata: "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s",
  bubblegum: "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY",
  compression: "cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK",
  noop: "noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV",
  /** Trees of the second version of Bubblegum. */
  forkedCompression: "mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW",
  forkedNoop: "mnoopTCrg4p8ry25e4bcWA9XZjbNjMTfgYVGGEdRsf3",
} as const;

export interface ProgramFile {
  readonly address: string;
  readonly file: string;
}

/**
 * Programs of a chain that are not in this project: files `ADDRESS.so` in the folder that LAMPLIGHT_PROGRAMS names, as
 * `solana program dump ADDRESS ADDRESS.so` writes them.
 */
export const findPrograms = (environment: NodeJS.ProcessEnv = process.env): readonly ProgramFile[] => {
  const folder = environment["LAMPLIGHT_PROGRAMS"];
  if (folder === undefined || folder === "") return [];
  if (!existsSync(folder)) throw new Error(`LAMPLIGHT_PROGRAMS names ${folder}, which does not exist`);
  return Object.values(metaplexPrograms)
    .map((address) => ({ address, file: join(folder, `${address}.so`) }))
    .filter(({ file }) => existsSync(file));
};
