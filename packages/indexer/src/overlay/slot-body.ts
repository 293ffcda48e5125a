import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { type AccountWrite, type AddressBytes, AddressMap, type Slot } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";
import { Delta, type DeltaMaps } from "../engine/delta.ts";
import { SHARED_DATA_BYTES_MIN, slotBodyBytesMax } from "./limits.ts";
import { type DataBelow, hashData, isSameData, noDataBelow } from "./shared-data.ts";
import { packChanges } from "../engine/packed-changes.ts";
import type { SlotContent } from "./slot-tree.ts";

/** The format of a body without nodes of trees. Increment all when it changes. A body of another version is not read. */
const FORMAT = 4;
/** Versions that kept each node in a row of its own cannot read blocks. They can read all other bodies. */
const FORMAT_WITH_NODES = 5;
/** Versions that published all data cannot read references to them. They can read all other bodies. */
const FORMAT_WITH_REFERENCES = 6;
/** Enough to reduce the database's writes to a fifth. A higher level costs the writer too much time. */
const LEVEL = 1;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Data that a slot leaves as they are below it. Its body has none for that account. */
interface Unchanged {
  readonly address: AddressBytes;
  readonly bytes: number;
  readonly hash: Uint8Array;
}

interface Body extends Omit<DeltaMaps, "writes" | "seen" | "nextChanges"> {
  /** Absent in a body of a version that knew no next set. */
  readonly nextChanges?: DeltaMaps["nextChanges"];
  readonly reported: string | null;
  readonly accounts: readonly AccountWrite[];
  readonly seen: readonly { readonly address: AddressBytes; readonly value: Slot }[];
  /** Absent where there is none. */
  readonly unchanged?: readonly Unchanged[];
}

/**
 * The changes of a slot as bytes, for another process of the same version. Big integers and bytes stay exact.
 *
 * @param below - large data that are the same there become references; default: none do
 */
export const encodeSlotBody = async (
  { reported, changes }: Pick<SlotContent, "reported" | "changes">,
  below: DataBelow = noDataBelow,
): Promise<Uint8Array> => {
  const { links, ledgerStates, assetChanges, editionChanges, nextChanges, holdings } = changes;
  const seen = changes.seen.entries();
  const unchanged: Unchanged[] = [];
  const accounts: AccountWrite[] = [];
  for (const write of changes.accounts) {
    const same = await unchangedOf(write, below);
    if (same !== null) unchanged.push(same);
    accounts.push(same === null ? write : withData(write, noData));
  }
  const body: Body = {
    reported,
    accounts,
    seen,
    links,
    ledgerStates,
    assetChanges,
    editionChanges,
    nextChanges,
    holdings,
    ...(unchanged.length > 0 && { unchanged }),
  };
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  return compress(Buffer.concat([Uint8Array.of(formatOf(body)), serialize(body)]), { params });
};

const unchangedOf = async (
  { state: { current } }: AccountWrite,
  below: DataBelow,
): Promise<Unchanged | null> => {
  const { address, data } = current;
  if (data.length < SHARED_DATA_BYTES_MIN) return null;
  const known = await below(address);
  if (known === null || !isSameData(known, data)) return null;
  return { address, bytes: data.length, hash: hashData(data) };
};

const formatOf = (body: Body): number => {
  if (body.unchanged !== undefined) return FORMAT_WITH_REFERENCES;
  return hasLedger(body, "nodes") ? FORMAT_WITH_NODES : FORMAT;
};

/**
 * Null for a body of another version, or one larger than the bound. `missing` where data that it refers to are not there
 * now.
 *
 * @param below - has the data that it refers to; default: it refers to none
 */
export const decodeSlotBody = async (
  bytes: Uint8Array,
  below: DataBelow = noDataBelow,
): Promise<SlotContent | "missing" | null> => {
  const body = await readBody(bytes);
  if (body === null) return null;
  const writes = new AddressMap<AccountWrite>();
  for (const write of body.accounts) writes.set(write.state.current.address, write);
  for (const one of body.unchanged ?? []) {
    const write = writes.get(one.address);
    // A copy: the address is a view of all bytes of the body, which another thread would get with it.
    const data = await below(Uint8Array.from(one.address));
    if (write === undefined || data === null || !isHashed(data, one)) return "missing";
    writes.set(one.address, withData(write, data));
  }
  const seen = new AddressMap<Slot>();
  for (const { address, value } of body.seen) seen.set(address, value);
  const { reported, nextChanges: next = null } = body;
  const assetChanges = packChanges(body.assetChanges);
  const nextChanges = next === null ? null : packChanges(next);
  const changes = new Delta({ ...body, assetChanges, nextChanges, writes, seen });
  return { reported, reportedBytes: 0, changes };
};

const isHashed = (data: Uint8Array, { bytes, hash }: Unchanged): boolean =>
  data.length === bytes && sameBytes(hashData(data), hash);

const noData = new Uint8Array(0);

const withData = (write: AccountWrite, data: Uint8Array): AccountWrite => ({
  ...write,
  state: { ...write.state, current: { ...write.state.current, data } },
});

/** Null also where a newer V8 serialized the values in a form that this one cannot read. */
const readBody = async (bytes: Uint8Array): Promise<Body | null> => {
  const maxOutputLength = slotBodyBytesMax();
  try {
    const plain = await decompress(bytes, { maxOutputLength });
    const format = plain[0];
    if (format !== FORMAT && format !== FORMAT_WITH_NODES && format !== FORMAT_WITH_REFERENCES) return null;
    const body = deserialize(plain.subarray(1)) as Body;
    const referred = (body.unchanged ?? []).reduce((sum, { bytes: length }) => sum + length, 0);
    return hasLedger(body, "node") || plain.length + referred > maxOutputLength ? null : body;
  } catch {
    return null;
  }
};

/** @param kind - `node` in a body of a version that kept each node in a row of its own */
const hasLedger = ({ ledgerStates }: Body, kind: "node" | "nodes"): boolean =>
  [...ledgerStates.values()].some((state) => (state.kind as string) === kind);
