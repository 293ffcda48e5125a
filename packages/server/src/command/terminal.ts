import { inspect } from "node:util";

import { printableJson, printableLines } from "@lamplight/errors";

// The only place that writes to stdout and stderr, in addition to the log: text may quote upstreams, files and callers.

/** Lines on stdout. */
export const print = (text: string): void => {
  process.stdout.write(`${printableLines(text)}\n`);
};

/** Lines on stderr. */
export const printError = (text: string): void => {
  process.stderr.write(`${printableLines(text)}\n`);
};

/** JSON on stdout, of one line or more. */
export const printJson = (json: string): void => {
  process.stdout.write(`${printableJson(json)}\n`);
};

/** An error with its stack and causes, on stderr. */
export const printStack = (error: unknown): void => printError(inspect(error));

/** Prints text with our own control sequences. The caller must make quoted text printable. */
export const printStyled = (stream: NodeJS.WriteStream, text: string): void => {
  stream.write(text);
};
