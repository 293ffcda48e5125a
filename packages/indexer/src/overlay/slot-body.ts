import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import type { AccountWrite, AddressBytes, Slot } from "@lamplight/core";
import { AddressMap } from "../engine/address-map.ts";
import { Delta, type DeltaMaps, packChanges, type Path } from "../engine/delta.ts";
import { slotBodyBytesMax } from "./limits.ts";
import { sharedDataOf } from "./shared-data.ts";
import type { SlotContent } from "./slot-tree.ts";

/** The format of a body without nodes of trees. Increment both when it changes. A body of another version is not read. */
const FORMAT = 4;
/** Versions that kept each node in a row of its own cannot read blocks. They can read all other bodies. */
const FORMAT_WITH_NODES = 5;
/** Enough to reduce the database's writes to a fifth. A higher level costs the writer too much time. */
const LEVEL = 1;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

interface Body extends Omit<DeltaMaps, "writes" | "seen" | "nextChanges"> {
  /** Absent in a body of a version that knew no next set. */
  readonly nextChanges?: DeltaMaps["nextChanges"];
  readonly reported: string | null;
  readonly accounts: readonly AccountWrite[];
  readonly seen: readonly { readonly address: AddressBytes; readonly value: Slot }[];
}

/** The changes of a slot as bytes, for another process of the same version. Big integers and bytes stay exact. */
export const encodeSlotBody = ({
  reported,
  changes,
}: Pick<SlotContent, "reported" | "changes">): Promise<Uint8Array> => {
  const { accounts, links, ledgerStates, assetChanges, editionChanges, nextChanges, holdings } = changes;
  const seen = changes.seen.entries();
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
  };
  const format = hasLedger(body, "nodes") ? FORMAT_WITH_NODES : FORMAT;
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  return compress(Buffer.concat([Uint8Array.of(format), serialize(body)]), { params });
};

/**
 * Null for a body of another version, or one larger than the bound.
 *
 * @param below - changes of its ancestors, which may have the same large data
 */
export const decodeSlotBody = async (bytes: Uint8Array, below: Path = []): Promise<SlotContent | null> => {
  const whole = await readBody(bytes);
  if (whole === null) return null;
  const shared = new AddressMap<Uint8Array>();
  for (const { state } of whole.accounts) {
    const data = sharedDataOf(state.current, below);
    if (data !== null) shared.set(state.current.address, data);
  }
  const body = shared.size === 0 ? whole : withSharedData(whole, shared);
  const writes = new AddressMap<AccountWrite>();
  for (const write of body.accounts) writes.set(write.state.current.address, write);
  const seen = new AddressMap<Slot>();
  for (const { address, value } of body.seen) seen.set(address, value);
  const { reported, nextChanges: next = null } = body;
  const assetChanges = packChanges(body.assetChanges);
  const nextChanges = next === null ? null : packChanges(next);
  const changes = new Delta({ ...body, assetChanges, nextChanges, writes, seen });
  return { reported, reportedBytes: 0, changes };
};

/** Every value is a view of all bytes of a body, so one without the shared data is written and read again. */
const withSharedData = (body: Body, shared: AddressMap<Uint8Array>): Body => {
  const rest = body.accounts.map((write) =>
    shared.has(write.state.current.address) ? withData(write, new Uint8Array(0)) : write,
  );
  const again = deserialize(serialize({ ...body, accounts: rest })) as Body;
  const accounts = again.accounts.map((write) => {
    const data = shared.get(write.state.current.address);
    return data === undefined ? write : withData(write, data);
  });
  return { ...again, accounts };
};

const withData = (write: AccountWrite, data: Uint8Array): AccountWrite => ({
  ...write,
  state: { ...write.state, current: { ...write.state.current, data } },
});

/** Null also where a newer V8 serialized the values in a form that this one cannot read. */
const readBody = async (bytes: Uint8Array): Promise<Body | null> => {
  try {
    const plain = await decompress(bytes, { maxOutputLength: slotBodyBytesMax() });
    if (plain[0] !== FORMAT && plain[0] !== FORMAT_WITH_NODES) return null;
    const body = deserialize(plain.subarray(1)) as Body;
    return hasLedger(body, "node") ? null : body;
  } catch {
    return null;
  }
};

/** @param kind - `node` in a body of a version that kept each node in a row of its own */
const hasLedger = ({ ledgerStates }: Body, kind: "node" | "nodes"): boolean =>
  [...ledgerStates.values()].some((state) => (state.kind as string) === kind);
