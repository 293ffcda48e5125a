import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const program = "solana-test-validator";

/** The path of a `solana-test-validator`: what LAMPLIGHT_VALIDATOR names, else the first on PATH; null = there is none. */
export const findValidator = (environment: NodeJS.ProcessEnv = process.env): string | null => {
  const named = environment["LAMPLIGHT_VALIDATOR"];
  if (named !== undefined && named !== "") {
    if (!isExecutable(named)) throw new Error(`LAMPLIGHT_VALIDATOR names ${named}, which cannot be executed`);
    return named;
  }
  const places = (environment["PATH"] ?? "").split(delimiter).filter((place) => place !== "");
  return places.map((place) => join(place, program)).find(isExecutable) ?? null;
};

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
