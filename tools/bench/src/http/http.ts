import { encodeAddress } from "@lamplight/codecs";
import { DatabaseSync } from "node:sqlite";
import type { Bench, Figure } from "../bench.ts";
import { sampleStore } from "../sample-store.ts";
import { compareServers } from "./compare-servers.ts";
import { CONNECTIONS } from "./load.ts";

const ACCOUNTS = 200_000;
/** Asked for in turn: enough that no one answers from what it answered before. */
const ADDRESSES = 256;

export const httpBench: Bench = {
  name: "http",
  about: `getAccountInfo over ${CONNECTIONS} connections on one core, next to a bare node:http server that does the same read`,
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    return compareServers(
      {
        label: "getAccountInfo",
        file,
        scripts: {
          ours: "./lamplight-server.ts",
          bare: "./bare-account-server.ts",
          constant: "./constant-server.ts",
        },
        bodies: tokenAccountsIn(file).map(requestFor),
      },
      say,
    );
  },
};

const requestFor = (address: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "getAccountInfo",
    params: [address, { encoding: "base64" }],
  });

/** Some token accounts, read from the table itself. */
const tokenAccountsIn = (file: string): readonly string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const statement = database.prepare(
      "SELECT token_account FROM holding WHERE positive = 1 ORDER BY token_account LIMIT ?",
    );
    return statement
      .all(ADDRESSES)
      .map((row) => encodeAddress((row as { token_account: Uint8Array }).token_account));
  } finally {
    database.close();
  }
};
