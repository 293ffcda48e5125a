import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import type { Step } from "../step.ts";
import { until } from "../until.ts";

const age = "lamplight_key_store_age_seconds";

export const breakKeyFile: Step = {
  title: "the file of keys is damaged, and mended",
  leftOut: ({ place }) => (place.postgres === null ? null : "the keys are in a table"),
  run: async (afternoon) => {
    const { server, place } = afternoon;
    const whole = readFileSync(place.keyStore, "utf8");
    writeFileSync(place.keyStore, whole.slice(0, -10));
    await server.counts(age, (seconds) => seconds > 2);
    const listed = await afternoon.run("keys", "list");
    expect(listed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is not JSON") });
    expect(await afternoon.callStatus("operator")).toBe(200);
    // An editor replaces the file in the same way.
    writeFileSync(`${place.keyStore}.mended`, whole);
    renameSync(`${place.keyStore}.mended`, place.keyStore);
    await server.counts(age, (seconds) => seconds < 2);
    await until(async () => ((await afternoon.callStatus("operator")) === 200 ? true : null));
  },
};
