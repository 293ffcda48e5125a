// Nothing over node:http and SQLite is faster than this: it reads the row and answers.
import { DatabaseSync } from "node:sqlite";
import { decodeAddress } from "@lamplight/codecs";
import { serveBare } from "../harness/bare-server.ts";

const [file] = process.argv.slice(2);
const database = new DatabaseSync(file!, { readOnly: true });
database.exec("PRAGMA mmap_size = 2147483648");
// The same read: the slot and the account of one moment. We take two statements in a transaction, here one does.
const find = database.prepare(
  `SELECT head.slot AS context_slot, program, lamports, account.slot, write_version, flags, rent_epoch, data
FROM head CROSS JOIN account WHERE head.id = 1 AND account.id = ? AND tail = ?`,
);
find.setReadBigInts(true);

serveBare(({ id, params }) => {
  const key = decodeAddress(params[0]);
  const prefix = new DataView(key.buffer, key.byteOffset).getBigInt64(0);
  const row = find.get(prefix, key.subarray(8)) as {
    context_slot: bigint;
    lamports: bigint;
    data: Uint8Array;
  };
  const { context_slot: slot, lamports, data } = row;
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  return `{"jsonrpc":"2.0","result":{"context":{"slot":${slot}},"value":{"data":["${text}","base64"],"lamports":${lamports}}},"id":${id}}`;
});
