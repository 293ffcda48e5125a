import { ByteCursor } from "../bytes/byte-cursor.ts";

/** Keys and program bytes are views into the account's data. */
export type UpgradeableLoaderAccount =
  | { readonly kind: "uninitialized" }
  | { readonly kind: "buffer"; readonly authority: Uint8Array | null; readonly program: Uint8Array }
  | { readonly kind: "program"; readonly programData: Uint8Array }
  | {
      readonly kind: "programData";
      readonly slot: bigint;
      /** Null = can never be upgraded again. */
      readonly authority: Uint8Array | null;
      /** Without an authority it begins where the authority would be: 32 stale bytes come first. */
      readonly program: Uint8Array;
    };

/** An account of the upgradeable loader; null for anything else. */
export const decodeUpgradeableLoader = (data: Uint8Array): UpgradeableLoaderAccount | null => {
  const cursor = new ByteCursor(data);
  const account = readVariant(cursor, data);
  return cursor.failed ? null : account;
};

const readVariant = (cursor: ByteCursor, data: Uint8Array): UpgradeableLoaderAccount | null => {
  switch (cursor.u32()) {
    case 0:
      return { kind: "uninitialized" };
    case 1: {
      const authority = cursor.option((option) => option.key());
      return { kind: "buffer", authority, program: data.subarray(cursor.offset) };
    }
    case 2:
      return { kind: "program", programData: cursor.key() };
    case 3: {
      const slot = cursor.u64();
      const authority = cursor.option((option) => option.key());
      return { kind: "programData", slot, authority, program: data.subarray(cursor.offset) };
    }
    default:
      return null;
  }
};
