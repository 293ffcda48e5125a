import { ByteCursor } from "../bytes/byte-cursor.ts";
import { sameBytes, validatorInfoKey } from "../programs/addresses.ts";

/** A validator publishes these facts about itself. Keys are views into the account's data. */
export interface ValidatorInfo {
  readonly keys: readonly { readonly address: Uint8Array; readonly signer: boolean }[];
  /** As stored: meant to be JSON, not checked. */
  readonly text: string;
}

const KEY_BYTES = 33;

/** A config account whose first key says that it is validator info; null for anything else. */
export const decodeValidatorInfo = (data: Uint8Array): ValidatorInfo | null => {
  const cursor = new ByteCursor(data);
  const count = compactLength(cursor);
  if (!cursor.hasItems(count, KEY_BYTES)) return null;
  const keys: ValidatorInfo["keys"][number][] = [];
  for (let index = 0; index < count; index += 1) {
    keys.push({ address: cursor.key(), signer: cursor.strictBool() });
  }
  const first = keys[0];
  if (cursor.failed || first === undefined || !sameBytes(first.address, validatorInfoKey)) return null;
  const textBytes = cursor.u64();
  if (!cursor.hasItems(textBytes, 1)) return null;
  const text = cursor.text(Number(textBytes));
  return cursor.failed ? null : { keys, text };
};

/** One to three bytes of seven bits, lowest first, up to 65535, in its shortest form only. */
const compactLength = (cursor: ByteCursor): number => {
  let value = 0;
  for (let place = 0; place < 3; place += 1) {
    const byte = cursor.u8();
    value |= (byte & 0x7f) << (7 * place);
    if (byte === 0 && place > 0) cursor.failed = true;
    if ((byte & 0x80) === 0) {
      if (value > 0xffff) cursor.failed = true;
      return value;
    }
  }
  cursor.failed = true;
  return 0;
};
