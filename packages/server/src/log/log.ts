import type { Writable } from "node:stream";

import type { Log } from "@lamplight/core";
import { printable, printableLines } from "@lamplight/errors";
import type { AccessLine } from "./access-settings.ts";
import pino, { type LoggerOptions } from "pino";
import pretty from "pino-pretty";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export type { Log };

/** A log whose level can be changed. */
export interface LeveledLog extends Log {
  level: string;
  /** Logs what helps to find out why an answer is what it is. */
  debug(fields: object, message: string): void;
}

/** The log of a process, which also has its access log. */
export interface ProcessLog extends LeveledLog {
  /** Writes a line of the access log, regardless of the level. */
  access(line: AccessLine): void;
}

/** Whether the log prints what only `debug` asks for. */
export const isDebugging = (log: Log): log is LeveledLog => (log as Partial<LeveledLog>).level === "debug";

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
  return withAccess(openLog(options, output));
};

const openLog = (options: LoggerOptions, output: LogOutput | undefined): pino.Logger => {
  if ((output ?? process.stdout).isTTY !== true)
    return output === undefined ? pino(options) : pino(options, output);
  const destination = output === undefined ? {} : { destination: output };
  return pino(options, pretty({ ignore: "pid", translateTime: "HH:MM:ss", ...destination }));
};

const withAccess = (log: pino.Logger): ProcessLog => {
  const lines = log.child({}, { level: "info" });
  return Object.assign(log, { access: (line: AccessLine) => lines.info(line, "request") });
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
