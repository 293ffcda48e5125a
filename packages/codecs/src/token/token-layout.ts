// Offsets that both token programs share. Base records have fixed sizes; what is longer carries an account type at
// byte 165 and extensions from byte 166.

export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;
/** Never the size of anything but a multisig: the programs pad others away from it. */
export const MULTISIG_BYTES = 355;
export const ACCOUNT_TYPE_OFFSET = 165;
export const EXTENSIONS_OFFSET = 166;
export const accountTypes = { mint: 1, tokenAccount: 2 } as const;

/** Where the fields of a token account are, for readers that cannot afford an object for each account. */
export const tokenAccountLayout = {
  bytes: TOKEN_ACCOUNT_BYTES,
  multisigBytes: MULTISIG_BYTES,
  mint: 0,
  tokenOwner: 32,
  amount: 64,
  delegateTag: 72,
  delegate: 76,
  state: 108,
  nativeTag: 109,
  nativeReserve: 113,
  delegatedAmount: 121,
  closeAuthorityTag: 129,
  /** Longer accounts have the account type here. */
  type: ACCOUNT_TYPE_OFFSET,
} as const;

const none: Uint8Array = new Uint8Array(0);

/** The extension region of a record; empty when it has none. */
export const extensionsOf = (data: Uint8Array): Uint8Array =>
  data.length > EXTENSIONS_OFFSET ? data.subarray(EXTENSIONS_OFFSET) : none;

/** A u32 option tag: false for 0, true for 1, null for anything else (all four bytes count). */
export const optionTag = (data: Uint8Array, offset: number): boolean | null => {
  if (data[offset + 1] !== 0 || data[offset + 2] !== 0 || data[offset + 3] !== 0) return null;
  const tag = data[offset];
  return tag === 0 ? false : tag === 1 ? true : null;
};

/** The key behind a u32 option tag: `undefined` = the tag is not allowed. The key is there even when the tag is 0. */
export const optionKey = (data: Uint8Array, offset: number): Uint8Array | null | undefined => {
  const tag = optionTag(data, offset);
  if (tag === null) return undefined;
  return tag ? data.subarray(offset + 4, offset + 36) : null;
};
