import pino from "pino";
import type { Log } from "../../log/log.ts";
import type { PortCalls } from "./port-calls.ts";
import { type LogLine, toMain } from "./worker-messages.ts";

/** Sends log lines to the main thread, which writes the one log of the process. */
export const workerLog = (worker: number, calls: PortCalls): Log => {
  const write =
    (level: LogLine["level"]) =>
    (fields: object, message: string): void => {
      const line: LogLine = { level, fields: { worker, ...cloneable(fields) }, message };
      calls.call(toMain.log, line).catch(() => undefined);
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
};

/** As the log would write them: what it is given may hold what no other thread can take. */
const cloneable = (fields: object): object =>
  JSON.parse(
    JSON.stringify(fields, (_, value: unknown) =>
      value instanceof Error
        ? { ...pino.stdSerializers.err(value) }
        : typeof value === "bigint"
          ? String(value)
          : value,
    ),
  ) as object;
