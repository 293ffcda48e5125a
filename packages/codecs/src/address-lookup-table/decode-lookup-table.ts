import { ByteCursor } from "../bytes/byte-cursor.ts";

/** Keys are views into the account's data. */
export type LookupTable =
  | { readonly kind: "uninitialized" }
  | {
      readonly kind: "lookupTable";
      /** 2^64 - 1 while it is active. */
      readonly deactivationSlot: bigint;
      readonly lastExtendedSlot: bigint;
      readonly lastExtendedSlotStartIndex: number;
      /** Null = frozen for good. */
      readonly authority: Uint8Array | null;
      readonly addresses: readonly Uint8Array[];
    };

/** Where the addresses begin, whether there is an authority or not. */
const ADDRESSES_OFFSET = 56;

/** An address lookup table; null for anything else. */
export const decodeLookupTable = (data: Uint8Array): LookupTable | null => {
  const cursor = new ByteCursor(data);
  const tag = cursor.u32();
  if (cursor.failed || tag > 1) return null;
  if (tag === 0) return { kind: "uninitialized" };
  if (data.length < ADDRESSES_OFFSET || (data.length - ADDRESSES_OFFSET) % 32 !== 0) return null;
  const table = {
    kind: "lookupTable",
    deactivationSlot: cursor.u64(),
    lastExtendedSlot: cursor.u64(),
    lastExtendedSlotStartIndex: cursor.u8(),
    authority: cursor.option((option) => option.key()),
    addresses: keysFrom(data),
  } as const;
  return cursor.failed ? null : table;
};

const keysFrom = (data: Uint8Array): Uint8Array[] => {
  const keys: Uint8Array[] = [];
  for (let offset = ADDRESSES_OFFSET; offset < data.length; offset += 32) {
    keys.push(data.subarray(offset, offset + 32));
  }
  return keys;
};
