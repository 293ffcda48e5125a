import { readFileSync } from "node:fs";

import { LamplightError } from "@lamplight/errors";

import { findConfigFault } from "./config-fault.ts";
import type { LamplightConfig } from "./lamplight-config.ts";

/**
 * Reads and checks a configuration file.
 *
 * @throws LamplightError `CONFIG__INVALID` naming the field and what it may be
 */
export const readConfigFile = (file: string): LamplightConfig => {
  const value = parse(file, readText(file));
  const fault = findConfigFault(value);
  if (fault !== null) {
    throw new LamplightError("CONFIG__INVALID", {
      file,
      field: fault.field || "the file",
      reason: fault.reason,
    });
  }
  return value as LamplightConfig;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new LamplightError("CONFIG__INVALID", { file, field: "the file", reason }, { cause });
  }
};

const parse = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // The engine's message may quote the text around the fault, and that text may be a key.
    const at = /position (\d+)/u.exec((cause as Error).message)?.[1];
    const where = at === undefined ? "" : ` (line ${text.slice(0, Number(at)).split("\n").length})`;
    throw new LamplightError(
      "CONFIG__INVALID",
      { file, field: "the file", reason: `is not JSON${where}` },
      { cause },
    );
  }
};
