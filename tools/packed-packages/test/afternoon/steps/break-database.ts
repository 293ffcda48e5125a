import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Afternoon } from "../afternoon.ts";
import type { Step } from "../step.ts";
import { until } from "../until.ts";

export const breakDatabase: Step = {
  title: "the database is gone for a while",
  run: (afternoon) => (afternoon.place.postgres === null ? lockFile(afternoon) : stopPostgres(afternoon)),
};

/** Another program holds a transaction on the file. Readers go on. */
const lockFile = async (afternoon: Afternoon): Promise<void> => {
  const { writer, place } = afternoon;
  const other = new DatabaseSync(place.file!);
  await until(() => {
    try {
      other.exec("BEGIN IMMEDIATE");
      return true;
    } catch {
      return null;
    }
  });
  const locked = await writer.sees("store unreachable");
  expect(locked.metrics.find("lamplight_follow_store_problem")).toBe(1);
  expect(await afternoon.callStatus("operator")).toBe(200);
  other.close();
  const freed = await writer.seesReady();
  expect(freed.metrics.find("lamplight_follow_store_problem")).toBe(0);
};

const stopPostgres = async (afternoon: Afternoon): Promise<void> => {
  const { server, writer, place } = afternoon;
  await place.postgres!.crash();
  const unwritten = await writer.sees("store unreachable");
  expect(unwritten.metrics.find("lamplight_follow_store_problem")).toBe(1);
  await server.sees("the store cannot be reached");
  const refused = await afternoon.call("operator", "getLargestAccounts", []);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([
    503,
    expect.stringMatching(/^\d+$/u),
  ]);
  const { metrics } = await server.sees("the store cannot be reached");
  const error = { error: "STORE__UNREACHABLE" };
  expect(metrics.find("lamplight_call_errors_total", error)).toBe(afternoon.tally.count("operator", 503));
  await place.postgres!.restart();
  await server.seesReady();
  const written = await writer.seesReady();
  expect(written.metrics.find("lamplight_follow_store_problem")).toBe(0);
  expect(await afternoon.callStatus("operator")).toBe(200);
};
