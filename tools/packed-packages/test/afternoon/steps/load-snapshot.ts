import { expect } from "vitest";
import type { Step } from "../step.ts";

export const loadSnapshot: Step = {
  title: "a snapshot archive is loaded",
  run: async (afternoon) => {
    const { chain, folder, place } = afternoon;
    const archive = chain.writeSnapshot(folder);
    const work = place.postgres === null ? [] : ["--work", folder];
    const printed = await afternoon.succeed(
      "load",
      "snapshot",
      archive,
      "--store",
      place.storeUrl,
      ...work,
      "--json",
    );
    const { slot, blockhash, accounts } = chain.simulation.genesis;
    const loaded = JSON.parse(printed.split("\n").at(-1)!) as object;
    expect(loaded).toMatchObject({ event: "loaded", slot, blockhash, accountsStored: accounts.length });
  },
};
