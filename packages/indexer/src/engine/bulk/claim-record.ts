// Records of the files that assets are derived through. Every record belongs to the partition of its key:
//
//   u32 bytes of the record · u8 kind · u8 role · u8 named · u8 mark · key 32 · other 32 · f64 slot · f64 seen [· account]
//
// An account may follow: program owner 32 · u64 lamports · u64 rent epoch · f64 write version ·
// u32 executable · u32 bytes of data · data. Its address is `other`, its slot is `slot`.

import { type Account, type AddressBytes, linkRoles, type LinkRole, type Slot } from "@lamplight/core";
import { partitionOfAddress, type SpillWriter } from "./spill-files.ts";

/**
 * `self` the account at the key · `link` an account that links to the key, in a role that assets are derived from ·
 * `bareLink` the same in another role, without the account · `seen` the key was named at a slot ·
 * `need` the asset `other` is derived from the account at the key · `part` such an account, for the asset that is the key.
 */
export const recordKinds = ["self", "link", "bareLink", "seen", "need", "part"] as const;
export type RecordKind = (typeof recordKinds)[number];

const headBytes = 88;
const accountHeadBytes = 64;
const at = { kind: 4, role: 5, named: 6, mark: 7, key: 8, other: 40, slot: 72, seen: 80 } as const;
const accountAt = {
  programOwner: 0,
  lamports: 32,
  rentEpoch: 40,
  writeVersion: 48,
  executable: 56,
  dataLength: 60,
} as const;

const nothing = new Uint8Array(32);
const notSeen = -1;

/** Roles in which views ask for linked accounts; of links in other roles only the addresses are kept. */
export const viewedRoles: readonly LinkRole[] = ["metadata", "inscription", "holder"];

export const partMark = 1;

export const rolesMark = (roles: readonly LinkRole[]): number =>
  roles.reduce((mark, role) => {
    const place = viewedRoles.indexOf(role);
    if (place < 0) throw new Error(`links in the role ${role} are not kept`);
    return mark | (1 << place);
  }, 0);

export const isMarked = (mark: number, role: LinkRole): boolean =>
  (mark & (1 << viewedRoles.indexOf(role))) !== 0;

export interface ClaimRecordMore {
  readonly role?: LinkRole;
  readonly named?: boolean;
  /** See `ClaimRecord`. */
  readonly mark?: number;
  /** Default: the address of the account. */
  readonly other?: AddressBytes;
  readonly seen?: Slot | null;
  readonly account?: Account | null;
}

/** Writes a record into the partition of its key. */
export const writeClaimRecord = (
  writer: SpillWriter,
  bits: number,
  kind: RecordKind,
  key: AddressBytes,
  more: ClaimRecordMore,
): void => {
  const { account = null } = more;
  const length = headBytes + (account === null ? 0 : accountHeadBytes + account.data.length);
  const { buffer, at: start } = writer.reserve(partitionOfAddress(key, 0, bits), length);
  buffer.writeUInt32LE(length, start);
  buffer[start + at.kind] = recordKinds.indexOf(kind);
  buffer[start + at.role] = more.role === undefined ? 0 : linkRoles.indexOf(more.role);
  buffer[start + at.named] = Number(more.named ?? false);
  buffer[start + at.mark] = more.mark ?? 0;
  buffer.set(key, start + at.key);
  buffer.set(more.other ?? account?.address ?? nothing, start + at.other);
  buffer.writeDoubleLE(account?.slot ?? 0, start + at.slot);
  buffer.writeDoubleLE(more.seen ?? notSeen, start + at.seen);
  if (account !== null) writeAccount(account, buffer, start + headBytes);
};

const writeAccount = (account: Account, buffer: Buffer, start: number): void => {
  buffer.set(account.programOwner, start + accountAt.programOwner);
  buffer.writeBigUInt64LE(account.lamports, start + accountAt.lamports);
  buffer.writeBigUInt64LE(account.rentEpoch, start + accountAt.rentEpoch);
  buffer.writeDoubleLE(account.writeVersion, start + accountAt.writeVersion);
  buffer.writeUInt32LE(Number(account.executable), start + accountAt.executable);
  buffer.writeUInt32LE(account.data.length, start + accountAt.dataLength);
  buffer.set(account.data, start + accountHeadBytes);
};

/** One record in a buffer of them; bytes are views into it, made when they are asked for. */
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

  /** Of `self`: the roles its view asks for, a bit for each place in `viewedRoles`. Of `need` and `part`: 1 = a part. */
  get mark(): number {
    return this.#bytes[this.#start + at.mark] as number;
  }

  get key(): AddressBytes {
    return viewOf(this.#bytes, this.#start + at.key, 32);
  }

  get other(): AddressBytes {
    return viewOf(this.#bytes, this.#start + at.other, 32);
  }

  /** Lowest slot that the key was seen at, or, of a `part`, the part; null = this record says nothing of it. */
  get seen(): Slot | null {
    const seen = this.#bytes.readDoubleLE(this.#start + at.seen);
    return seen === notSeen ? null : seen;
  }

  get account(): Account | null {
    if (this.length === headBytes) return null;
    const slot = this.#bytes.readDoubleLE(this.#start + at.slot);
    return readAccount(this.#bytes, this.#start + headBytes, this.other, slot);
  }

  /** Bytes of the record. */
  get length(): number {
    return this.#bytes.readUInt32LE(this.#start);
  }
}

/** The records in a buffer that they fill. */
export function* claimRecordsOf(bytes: Buffer): Generator<ClaimRecord, void> {
  for (let start = 0; start < bytes.length;) {
    const record = new ClaimRecord(bytes, start);
    yield record;
    start += record.length;
  }
}

const readAccount = (bytes: Buffer, start: number, address: AddressBytes, slot: Slot): Account => ({
  address,
  programOwner: viewOf(bytes, start + accountAt.programOwner, 32),
  lamports: bytes.readBigUInt64LE(start + accountAt.lamports),
  rentEpoch: bytes.readBigUInt64LE(start + accountAt.rentEpoch),
  writeVersion: bytes.readDoubleLE(start + accountAt.writeVersion),
  executable: bytes.readUInt32LE(start + accountAt.executable) === 1,
  data: viewOf(bytes, start + accountHeadBytes, bytes.readUInt32LE(start + accountAt.dataLength)),
  slot,
});

const viewOf = (bytes: Buffer, from: number, length: number): Uint8Array =>
  new Uint8Array(bytes.buffer, bytes.byteOffset + from, length);
