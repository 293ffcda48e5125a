import { LamplightError } from "@lamplight/errors";

export const commandLine = "the command line";

/** @throws LamplightError `CLI__USAGE` for the command line, `CONFIG__INVALID` for any other place */
export const refuse = (place: string, field: string, reason: string): never => {
  if (place === commandLine) throw new LamplightError("CLI__USAGE", { reason: `${field} ${reason}` });
  throw new LamplightError("CONFIG__INVALID", { file: place, field, reason });
};
