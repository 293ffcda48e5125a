// A Core asset of tests with any plugins, and how it is decoded.

import { BorshWriter } from "../src/borsh/borsh-writer.ts";
import { type CoreAsset, decodeCoreAccount } from "../src/mpl-core/decode-core-account.ts";

/** An address that is the same byte 32 times over. */
export const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

export interface SyntheticPlugin {
  readonly external?: boolean;
  readonly type: number;
  readonly payload?: Uint8Array;
  readonly data?: Uint8Array;
  /** Put in the registry in place of the true one. */
  readonly offset?: bigint;
  readonly checks?: readonly (readonly [number, number])[];
}

export const writeBase = (): BorshWriter =>
  new BorshWriter().u8(1).bytes(key(7)).u8(0).text("Name").text("uri").u8(0);

/** An asset with these plugins, all with authority Owner. */
export const assetWith = (plugins: readonly SyntheticPlugin[]): Uint8Array => {
  const base = writeBase().finish();
  const bodies = plugins.map(({ type, payload = new Uint8Array(0), data = new Uint8Array(0) }) => ({
    adapter: Buffer.concat([Uint8Array.of(type), payload]),
    data,
  }));
  const offsets: number[] = [];
  let at = base.length + 9;
  for (const body of bodies) {
    offsets.push(at);
    at += body.adapter.length + body.data.length;
  }
  const writer = writeBase().u8(3).u64(BigInt(at));
  for (const body of bodies) writer.bytes(body.adapter).bytes(body.data);
  const rows = plugins.map((plugin, index) => ({ ...plugin, at: offsets[index] ?? 0, body: bodies[index] }));
  const internal = rows.filter(({ external }) => external !== true);
  const external = rows.filter((row) => row.external === true);
  writer.u8(4).u32(internal.length);
  for (const row of internal)
    writer
      .u8(row.type)
      .u8(1)
      .u64(row.offset ?? BigInt(row.at));
  writer.u32(external.length);
  for (const row of external) {
    writer.u8(row.type).u8(1);
    if (row.checks === undefined) writer.u8(0);
    else {
      writer.u8(1).u32(row.checks.length);
      for (const [event, flags] of row.checks) writer.u8(event).u32(flags);
    }
    writer.u64(row.offset ?? BigInt(row.at));
    if (row.data === undefined) writer.u8(0).u8(0);
    else
      writer
        .u8(1)
        .u64(BigInt(row.at + (row.body?.adapter.length ?? 0)))
        .u8(1)
        .u64(BigInt(row.data.length));
  }
  return writer.finish();
};

export const decodeAsset = (data: Uint8Array): CoreAsset => {
  const account = decodeCoreAccount(data);
  if (account?.kind !== "asset") throw new Error(`not an asset: ${account?.kind}`);
  return account;
};
