import { ByteWriter } from "./byte-writer.ts";

/** The account of an upgradeable program: 36 bytes that point to its code. */
export const encodeProgram = (programData: Uint8Array): Uint8Array =>
  new ByteWriter().u32(2).bytes(programData).finish();

/** The code of an upgradeable program. */
export const encodeProgramData = (slot: number, authority: Uint8Array | null, code: Uint8Array): Uint8Array =>
  new ByteWriter()
    .u32(3)
    .u64(slot)
    .u8(authority !== null)
    .nonZeroKey(authority)
    .bytes(code)
    .finish();
