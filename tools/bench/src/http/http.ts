import type { Bench, Figure } from "../bench.ts";
import { accountCalls } from "../harness/calls.ts";
import { sampleStore } from "../sample-store.ts";
import { compareServers, CONNECTIONS } from "./compare-servers.ts";

const ACCOUNTS = 200_000;
const label = "getAccountInfo";

export const httpBench: Bench = {
  name: "http",
  about: `getAccountInfo over ${CONNECTIONS} connections on one core, next to a bare node:http server that does the same read`,
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    const bareServer = new URL("bare-account-server.ts", import.meta.url);
    return compareServers({ label, file, bareServer, bodies: accountCalls(file) }, say);
  },
  async served(say) {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    return [
      { store: `sqlite:${file}`, work: new Map([[label, accountCalls(file)]]), connections: CONNECTIONS },
    ];
  },
};
