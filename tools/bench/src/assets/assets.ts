import type { Bench, Figure } from "../bench.ts";
import { assetCalls } from "../harness/calls.ts";
import { compareServers, CONNECTIONS } from "../http/compare-servers.ts";
import { sampleStore } from "../sample-store.ts";
import { decodeRates } from "./decode-rates.ts";

const ACCOUNTS = 200_000;
const label = "getAsset";

export const assetsBench: Bench = {
  name: "assets",
  about: `decoding and indexing next to the programs' own libraries; getAsset over ${CONNECTIONS} connections on one core next to a bare node:http server that does the same read`,
  async run(say): Promise<readonly Figure[]> {
    const decoded = await decodeRates(say);
    const file = await sampleStore("assets", ACCOUNTS, say);
    const bareServer = new URL("bare-asset-server.ts", import.meta.url);
    const contest = { label, file, bareServer, bodies: assetCalls(file) };
    return [...decoded, ...(await compareServers(contest, say))];
  },
  async served(say) {
    const file = await sampleStore("assets", ACCOUNTS, say);
    return [
      { store: `sqlite:${file}`, work: new Map([[label, assetCalls(file)]]), connections: CONNECTIONS },
    ];
  },
};
