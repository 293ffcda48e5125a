// Nothing over node:http and this driver is faster than this: it reads head and row with one prepared statement.
import { decodeAddress } from "@lamplight/codecs";
import { Client } from "pg";
import { serveBare } from "../harness/bare-server.ts";

const SESSIONS = 16;

const [url] = process.argv.slice(2);
const idle: Client[] = [];
const waiting: ((client: Client) => void)[] = [];
for (let count = 0; count < SESSIONS; count++) {
  const client = new Client({
    connectionString: url!,
    application_name: "bare",
    options: "-c search_path=lamplight -c jit=off",
  });
  await client.connect();
  idle.push(client);
}

const take = (): Promise<Client> | Client =>
  idle.pop() ?? new Promise<Client>((resolve) => waiting.push(resolve));
const giveBack = (client: Client): void => {
  const next = waiting.shift();
  if (next === undefined) idle.push(client);
  else next(client);
};

const statements = {
  getAccountInfo: {
    name: "account",
    text: `SELECT head.slot, account.program, account.lamports, account.rent_epoch, account.data
FROM head LEFT JOIN account ON account.address = $1 WHERE head.id = 1`,
  },
  getAsset: {
    name: "asset",
    text: `SELECT head.slot, asset_document.document
FROM head LEFT JOIN asset_document ON asset_document.id = $1 WHERE head.id = 1`,
  },
} as const;

serveBare(async ({ id, method, params }) => {
  const client = await take();
  const { rows } = await client.query({
    ...statements[method as keyof typeof statements],
    values: [decodeAddress(params[0])],
    rowMode: "array",
  });
  giveBack(client);
  const row = rows[0] as unknown as (string | Buffer | null)[];
  const result =
    method === "getAsset"
      ? (row[1] as string)
      : row[4] === null
        ? `{"context":{"slot":${row[0] as string}},"value":null}`
        : `{"context":{"slot":${row[0] as string}},"value":{"data":["${(row[4] as Buffer).toString("base64")}","base64"],"lamports":${row[2] as string}}}`;
  return `{"jsonrpc":"2.0","result":${result},"id":${id}}`;
});
