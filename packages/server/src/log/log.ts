import type { Writable } from "node:stream";

import type { Log } from "@lamplight/core";
import { printable, printableLines } from "@lamplight/errors";
import type { AccessLine } from "./access-settings.ts";
import pino, { type DestinationStream, type LoggerOptions } from "pino";
import pretty from "pino-pretty";

import { LineBatch } from "./line-batch.ts";
import type { LogLevel } from "./log-levels.ts";

export type { Log };

/** A log whose level can be changed. */
export interface LeveledLog extends Log {
  level: string;
  /** Logs what helps to find out why an answer is what it is. */
  debug(fields: object, message: string): void;
}

/** The log of a process, which also has its access log. */
export interface ProcessLog extends LeveledLog {
  /** Writes a line of the access log, regardless of the level. It waits for others, and at most until the next line of the log. */
  access(line: AccessLine): void;
  /** Writes the lines that wait. */
  flush(): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** A stream that may be a terminal. */
export type LogOutput = Writable & { readonly isTTY?: boolean };

/**
 * JSON lines on stdout, readable ones on a terminal. Errors carry their whole chain of causes. Quotes of upstreams,
 * files and callers in fields and messages are made printable here, for all lines.
 *
 * ```ts
 * const log = createLog("info");
 * const server = await startServer({ viewSource, keys: ["demo"], log });
 * log.info({ url: server.url }, "serving");
 * ```
 *
 * @param output - default: stdout
 */
export const createLog = (level: LogLevel, output?: LogOutput): ProcessLog => {
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: Error) => printableValue(pino.stdSerializers.err(error)) },
    hooks: {
      logMethod([fields, message], log) {
        log.apply(this, [printableValue(fields), printable(String(message))]);
      },
    },
  };
  const destination = openOutput(output);
  // Lines of requests are written together: a write of each would cost as much as a call.
  const requests = new LineBatch<string>((lines) => void destination.write(lines.join("")));
  const write = (text: string): void => {
    requests.flush();
    destination.write(text);
  };
  // Nothing in them comes from outside but what was checked. So they need no hook.
  const access = pino({ ...options, level: "info", hooks: {} }, { write: (text) => requests.add(text) });
  return Object.assign(pino(options, { write }), {
    access: (line: AccessLine) => access.info(line, "request"),
    flush: () => requests.flush(),
  });
};

const openOutput = (output: LogOutput | undefined): DestinationStream => {
  if ((output ?? process.stdout).isTTY !== true) return output ?? pino.destination(1);
  const destination = output === undefined ? {} : { destination: output };
  return pretty({ ignore: "pid", translateTime: "HH:MM:ss", ...destination });
};

/**
 * Fields, with everything in them. Errors come back as they are, for their serializer; a stack keeps its lines.
 *
 * @param seen - objects that need no second look: those of libraries may contain themselves
 */
const printableValue = (value: unknown, name = "", seen = new Set<object>()): unknown => {
  if (typeof value === "string") return name === "stack" ? printableLines(value) : printable(value);
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (seen.has(value)) return "[seen]";
  seen.add(value);
  if ("toJSON" in value && typeof value.toJSON === "function")
    return printableValue(value.toJSON(), "", seen);
  if (Array.isArray(value)) return value.map((entry) => printableValue(entry, "", seen));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [printable(key), printableValue(member, key, seen)]),
  );
};
