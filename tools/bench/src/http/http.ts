import { encodeAddress } from "@lamplight/codecs";
import { DatabaseSync } from "node:sqlite";
import { type Bench, type Figure, median } from "../bench.ts";
import { sampleStore } from "../sample-store.ts";
import { CONNECTIONS, pinLoad, requestsPerSecond, startServerProcess } from "./load.ts";

const ACCOUNTS = 200_000;
/** Each server in turn, so that whatever else the machine does meets all of them. */
const ROUNDS = 3;
const servers = {
  ours: "./lamplight-server.ts",
  bare: "./bare-server.ts",
  constant: "./constant-server.ts",
} as const;
type ServerName = keyof typeof servers;

/** Rates of each server on the same request. */
export const compareServers = async (
  file: string,
  bodies: { readonly [name in ServerName]: string },
  scripts: { readonly [name in ServerName]: string },
  say: (line: string) => void,
): Promise<{ readonly [name in ServerName]: number }> => {
  pinLoad();
  const names = Object.keys(scripts) as ServerName[];
  const rates: { [name in ServerName]: number[] } = { ours: [], bare: [], constant: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) {
      const server = await startServerProcess(scripts[name], [file]);
      try {
        rates[name].push(await requestsPerSecond(server.url, bodies[name]));
      } finally {
        server.stop();
      }
      say(`round ${round + 1}: ${name} ${Math.round(rates[name].at(-1)!)} requests/s`);
    }
  return { ours: median(rates.ours), bare: median(rates.bare), constant: median(rates.constant) };
};

export const httpBench: Bench = {
  name: "http",
  about: `getAccountInfo over ${CONNECTIONS} connections on one core, beside a bare node:http server that does the same read`,
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    const body = requestFor(tokenAccountIn(file));
    const rates = await compareServers(file, { ours: body, bare: body, constant: body }, servers, say);
    return [
      { name: "ours", value: rates.ours, unit: "requests/s" },
      { name: "bare node:http with the same read", value: rates.bare, unit: "requests/s" },
      { name: "constant reply", value: rates.constant, unit: "requests/s" },
      { name: "ours / bare", value: rates.ours / rates.bare, unit: "×", budget: { atLeast: 0.85 } },
      { name: "ours / constant", value: rates.ours / rates.constant, unit: "×" },
    ];
  },
};

const requestFor = (address: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "getAccountInfo",
    params: [address, { encoding: "base64" }],
  });

/** Some token account, read from the table itself. */
const tokenAccountIn = (file: string): string => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const statement = database.prepare(
      "SELECT token_account FROM holding WHERE positive = 1 LIMIT 1 OFFSET 1000",
    );
    return encodeAddress((statement.get() as { token_account: Uint8Array }).token_account);
  } finally {
    database.close();
  }
};
