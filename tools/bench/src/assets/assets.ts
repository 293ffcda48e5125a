import { DatabaseSync } from "node:sqlite";
import { encodeAddress } from "@lamplight/codecs";
import type { Bench, Figure } from "../bench.ts";
import { compareServers } from "../http/compare-servers.ts";
import { CONNECTIONS } from "../http/load.ts";
import { sampleStore } from "../sample-store.ts";
import { decodeRates } from "./decode-rates.ts";

const ACCOUNTS = 200_000;
/** Asked for in turn: enough that no one answers from what it answered before. */
const ASSETS = 256;

export const assetsBench: Bench = {
  name: "assets",
  about: `decoding and indexing next to the programs' own libraries; getAsset over ${CONNECTIONS} connections on one core next to a bare node:http server that does the same read`,
  async run(say): Promise<readonly Figure[]> {
    const decoded = await decodeRates(say);
    const file = await sampleStore("assets", ACCOUNTS, say);
    const served = await compareServers(
      {
        label: "getAsset",
        file,
        scripts: {
          ours: "./lamplight-server.ts",
          bare: "../assets/bare-asset-server.ts",
          constant: "./constant-server.ts",
        },
        bodies: assetsIn(file).map(requestFor),
      },
      say,
    );
    return [...decoded, ...served];
  },
};

const requestFor = (id: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAsset", params: [id] });

/** Some assets, read from the table itself, ascending by id: that is in no order of storage. */
const assetsIn = (file: string): readonly string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare("SELECT id FROM asset ORDER BY id LIMIT ?")
      .all(ASSETS)
      .map((row) => encodeAddress((row as { id: Uint8Array }).id));
  } finally {
    database.close();
  }
};
