import pino from "pino";
import pretty from "pino-pretty";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What the server needs of a log. Never give it a request path or a header: paths carry keys. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** JSON lines on stdout, readable ones on a terminal. Errors carry their whole chain of causes. */
export const createLog = (level: LogLevel): Log => {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  return process.stdout.isTTY
    ? pino(options, pretty({ ignore: "pid", translateTime: "HH:MM:ss" }))
    : pino(options);
};
