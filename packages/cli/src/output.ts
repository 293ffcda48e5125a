import { print, printError, printJson, printStyled } from "@lamplight/server/command";
import { printable, printableJson } from "@lamplight/errors";
import type { ProgressOutput } from "@lamplight/runtime";

/**
 * The output of a command: text, in a pipe as on a terminal, or JSON lines with `--json`. The result goes to stdout,
 * progress and notes to stderr.
 */
export interface CommandOutput {
  /** Output that shows the progress. */
  readonly progress: ProgressOutput;
  note(line: string): void;
  /** @param lines - what people read instead of the event */
  result(event: Readonly<Record<string, unknown>>, lines: readonly string[]): void;
}

/** Options for `parseArgs`. */
export const jsonOption = { json: { type: "boolean" } } as const;

export const jsonUsage = "JSON lines instead of text: the result on stdout, progress and notes on stderr";

/** @param isJson - `--json`, undefined where it was not given */
export const createOutput = (isJson: boolean | undefined): CommandOutput => {
  const asJson = isJson === true;
  const progress: ProgressOutput = {
    write: (text) => printStyled(process.stderr, text),
    isTTY: process.stderr.isTTY === true && !asJson,
    isJson: asJson,
  };
  return {
    progress,
    note: (text) => printError(asJson ? printableJson(JSON.stringify({ event: "note", text })) : text),
    result: (event, lines) => {
      if (asJson) printJson(JSON.stringify(event));
      else print(lines.join("\n"));
    },
  };
};

/** Progress goes to stderr, the result to stdout. */
export const say = (line: string): void => printError(printable(line));
