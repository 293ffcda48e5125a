// Records of the temporary files that a bulk load derives assets from. A record is in the partition of its key:
//
//   u32 bytes of the record · u8 kind · u8 role · u8 named · u8 mark · key 32 · other 32 · f64 seen [· account]
//
// An account follows in the layout of a batch, so that it is copied without being decoded.

import {
  type Account,
  accountAt,
  type AddressBytes,
  batchLayout,
  batchRecordBytes,
  linkRoles,
  type LinkRole,
  type Slot,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { viewedRoles } from "../../programs/programs.ts";
import { partitionOfAddress, type SpillWriter } from "./spill-files.ts";

/**
 * - `self`: the account at the key
 * - `link`: an account that links to the key, in a role that views read
 * - `bareLink`: the address of an account that links to the key in another role
 * - `seen`: a slot in which the key was named
 * - `need`: the asset `other` is derived from the account at the key
 * - `part`: such an account, for the asset at the key
 */
export const recordKinds = ["self", "link", "bareLink", "seen", "need", "part"] as const;
export type RecordKind = (typeof recordKinds)[number];

const HEAD_BYTES = 80;
const at = { kind: 4, role: 5, named: 6, mark: 7, key: 8, other: 40, seen: 72 } as const;
const NOT_SEEN = -1;

export const PART_MARK = 1;

export const rolesMark = (roles: readonly LinkRole[]): number =>
  roles.reduce((mark, role) => {
    const place = viewedRoles.indexOf(role);
    if (place < 0) throw brokenInvariant(`links in the role ${role} are not kept`);
    return mark | (1 << place);
  }, 0);

export const isMarked = (mark: number, role: LinkRole): boolean =>
  (mark & (1 << viewedRoles.indexOf(role))) !== 0;

/** Position of a record in a batch. */
export interface StoredAccount {
  readonly bytes: Buffer;
  readonly record: number;
}

export interface ClaimRecordMore {
  readonly role?: LinkRole;
  readonly named?: boolean;
  /** See `ClaimRecord`. */
  readonly mark?: number;
  /** Default: the address of the account. */
  readonly other?: AddressBytes;
  readonly seen?: Slot | null;
  readonly account?: StoredAccount | null;
}

/** Writes a record into the partition of its key. */
export const writeClaimRecord = (
  writer: SpillWriter,
  bits: number,
  kind: RecordKind,
  key: AddressBytes,
  more: ClaimRecordMore,
): void => {
  const { account = null, other, seen } = more;
  const length = HEAD_BYTES + (account === null ? 0 : storedBytes(account));
  const { buffer, at: start } = writer.reserve(partitionOfAddress(key, 0, bits), length);
  buffer.writeUInt32LE(length, start);
  buffer[start + at.kind] = recordKinds.indexOf(kind);
  buffer[start + at.role] = more.role === undefined ? 0 : linkRoles.indexOf(more.role);
  buffer[start + at.named] = Number(more.named ?? false);
  buffer[start + at.mark] = more.mark ?? 0;
  copyAddress(key, 0, buffer, start + at.key);
  if (other !== undefined) copyAddress(other, 0, buffer, start + at.other);
  else if (account !== null)
    copyAddress(account.bytes, account.record + batchLayout.address, buffer, start + at.other);
  buffer.writeDoubleLE(seen ?? NOT_SEEN, start + at.seen);
  if (account === null) return;
  const { bytes, record } = account;
  bytes.copy(buffer, start + HEAD_BYTES, record, record + length - HEAD_BYTES);
};

const storedBytes = ({ bytes, record }: StoredAccount): number =>
  batchRecordBytes(bytes.readUInt32LE(record + batchLayout.dataLength));

/** Below this length, copying byte by byte is faster than one call. */
const copyAddress = (from: Uint8Array, start: number, to: Buffer, place: number): void => {
  for (let index = 0; index < 32; index += 1) to[place + index] = from[start + index] as number;
};

/** One record in a buffer of records. Its byte arrays are views into the buffer, made on request. */
export class ClaimRecord {
  readonly #bytes: Buffer;
  readonly #start: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  get kind(): RecordKind {
    return recordKinds[this.#bytes[this.#start + at.kind] as number] as RecordKind;
  }

  get role(): LinkRole {
    return linkRoles[this.#bytes[this.#start + at.role] as number] as LinkRole;
  }

  /** Whether the key is named as an asset. */
  get named(): boolean {
    return this.#bytes[this.#start + at.named] === 1;
  }

  /**
   * A `self` marks the roles its view asks for: a bit for each place in `viewedRoles`. A `need` or a `part` has a 1 for
   * a part.
   */
  get mark(): number {
    return this.#bytes[this.#start + at.mark] as number;
  }

  get key(): AddressBytes {
    return this.#address(at.key);
  }

  /** Address of the account in a `link` or a `bareLink`, of the asset in a `need`, of the part in a `part`. */
  get other(): AddressBytes {
    return this.#address(at.other);
  }

  /** Whether `other` is this address. */
  isOf(address: AddressBytes): boolean {
    const place = this.#start + at.other;
    for (let index = 0; index < 32; index += 1)
      if (this.#bytes[place + index] !== address[index]) return false;
    return true;
  }

  /** Lowest slot in which the key was seen; in a `part`, in which the part was seen. Null = not recorded here. */
  get seen(): Slot | null {
    const seen = this.#bytes.readDoubleLE(this.#start + at.seen);
    return seen === NOT_SEEN ? null : seen;
  }

  get account(): Account | null {
    const { stored } = this;
    return stored === null ? null : accountAt(stored.bytes, stored.record);
  }

  get stored(): StoredAccount | null {
    return this.length === HEAD_BYTES ? null : { bytes: this.#bytes, record: this.#start + HEAD_BYTES };
  }

  /** Bytes of the record. */
  get length(): number {
    return this.#bytes.readUInt32LE(this.#start);
  }

  #address(place: number): AddressBytes {
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + this.#start + place, 32);
  }
}

/** The records of a full buffer, one after another. */
export function* claimRecordsOf(bytes: Buffer): Generator<ClaimRecord, void> {
  for (let start = 0; start < bytes.length;) {
    const record = new ClaimRecord(bytes, start);
    yield record;
    start += record.length;
  }
}
