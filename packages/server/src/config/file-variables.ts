import { readFileSync } from "node:fs";

import { LamplightError } from "@lamplight/errors";

/**
 * Replaces each `LAMPLIGHT_…_FILE` by the variable without the suffix, with the text of that file: secrets then stand
 * neither in the environment nor on a command line. Lines count as commas.
 *
 * @throws LamplightError `CONFIG__INVALID` for a file that cannot be read, and where the variable itself is set too
 */
export const applyFileVariables = (environment: Record<string, string | undefined>): void => {
  for (const [name, file] of Object.entries(environment)) {
    const variable = /^(LAMPLIGHT_[A-Z_]+)_FILE$/u.exec(name)?.[1];
    if (variable === undefined || file === undefined || file === "") continue;
    if (environment[variable] !== undefined && environment[variable] !== "")
      throw new LamplightError("CONFIG__INVALID", {
        file: "the environment",
        field: name,
        reason: `and ${variable} are both set; set one of them`,
      });
    environment[variable] = readSecret(file, name);
    delete environment[name];
  }
};

/** The text of a file, its lines separated by commas. */
export const readSecret = (file: string, field: string): string => {
  try {
    return readFileSync(file, "utf8")
      .split(/[\r\n]+/u)
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(",");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new LamplightError("CONFIG__INVALID", { file, field: `the file of ${field}`, reason }, { cause });
  }
};
