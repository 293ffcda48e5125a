// `npm run bench -- duel-das …`: a generated chain in a store of this project and in das_api's tables.
import { parseArgs } from "node:util";
import { sampleStore } from "../../sample-store.ts";
import { exportToDas } from "./export-to-das.ts";
import { writeAssetRequests } from "./write-requests.ts";

const usage = `duel-das --das URL --requests FILE [--accounts N] [--calls N]

  --das       PostgreSQL database, in which das_api's migrations have made the tables
  --requests  file for the requests of the duel
  --accounts  of the generated chain (200000)
  --calls     different requests in the file (1000)`;

const flags = {
  das: { type: "string" },
  requests: { type: "string" },
  accounts: { type: "string", default: "200000" },
  calls: { type: "string", default: "1000" },
} as const;

/** @returns the exit code */
export const duelDasMain = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { das, requests, accounts, calls } = values;
  if (das === undefined || requests === undefined) {
    console.error(usage);
    return 2;
  }
  const store = await sampleStore("assets", Number(accounts), (line) => console.error(`  … ${line}`));
  const assets = await exportToDas(store, das);
  await writeAssetRequests(store, requests, Number(calls));
  console.log(`${assets} assets are in das_api's tables, and in sqlite:${store}`);
  console.log(`requests: ${requests}`);
  return 0;
};
