/** The form in which one field of an extension is stored, read and shown. */
export type FieldKind =
  | "key"
  /** 32 bytes; all zero = none. */
  | "optionalKey"
  | "bytes32"
  /** 32 bytes that are no address; all zero = none. */
  | "optionalBytes32"
  | "bytes36"
  | "bytes64"
  /** One byte; anything but zero is true. */
  | "bool"
  | "i16"
  | "u64"
  | "i64"
  | "f64"
  | "accountState"
  | "transferFee";

/** The record that an extension belongs to. */
export type ExtensionHost = "mint" | "tokenAccount";

export interface ExtensionLayout {
  readonly type: number;
  readonly on: ExtensionHost;
  /** The fields follow in layout order. Null = a marker, whose bytes mean nothing. */
  readonly fields: Readonly<Record<string, FieldKind>> | null;
}

/** Every extension of fixed size; `tokenMetadata` (type 19) is the one of variable size. */
export const extensionLayouts = {
  transferFeeConfig: {
    type: 1,
    on: "mint",
    fields: {
      transferFeeConfigAuthority: "optionalKey",
      withdrawWithheldAuthority: "optionalKey",
      withheldAmount: "u64",
      olderTransferFee: "transferFee",
      newerTransferFee: "transferFee",
    },
  },
  transferFeeAmount: { type: 2, on: "tokenAccount", fields: { withheldAmount: "u64" } },
  mintCloseAuthority: { type: 3, on: "mint", fields: { closeAuthority: "optionalKey" } },
  confidentialTransferMint: {
    type: 4,
    on: "mint",
    fields: {
      authority: "optionalKey",
      autoApproveNewAccounts: "bool",
      auditorElgamalPubkey: "optionalBytes32",
    },
  },
  confidentialTransferAccount: {
    type: 5,
    on: "tokenAccount",
    fields: {
      approved: "bool",
      elgamalPubkey: "bytes32",
      pendingBalanceLo: "bytes64",
      pendingBalanceHi: "bytes64",
      availableBalance: "bytes64",
      decryptableAvailableBalance: "bytes36",
      allowConfidentialCredits: "bool",
      allowNonConfidentialCredits: "bool",
      pendingBalanceCreditCounter: "u64",
      maximumPendingBalanceCreditCounter: "u64",
      expectedPendingBalanceCreditCounter: "u64",
      actualPendingBalanceCreditCounter: "u64",
    },
  },
  defaultAccountState: { type: 6, on: "mint", fields: { accountState: "accountState" } },
  immutableOwner: { type: 7, on: "tokenAccount", fields: null },
  memoTransfer: { type: 8, on: "tokenAccount", fields: { requireIncomingTransferMemos: "bool" } },
  nonTransferable: { type: 9, on: "mint", fields: null },
  interestBearingConfig: {
    type: 10,
    on: "mint",
    fields: {
      rateAuthority: "optionalKey",
      initializationTimestamp: "i64",
      preUpdateAverageRate: "i16",
      lastUpdateTimestamp: "i64",
      currentRate: "i16",
    },
  },
  cpiGuard: { type: 11, on: "tokenAccount", fields: { lockCpi: "bool" } },
  permanentDelegate: { type: 12, on: "mint", fields: { delegate: "optionalKey" } },
  nonTransferableAccount: { type: 13, on: "tokenAccount", fields: null },
  transferHook: { type: 14, on: "mint", fields: { authority: "optionalKey", programId: "optionalKey" } },
  transferHookAccount: { type: 15, on: "tokenAccount", fields: { transferring: "bool" } },
  confidentialTransferFeeConfig: {
    type: 16,
    on: "mint",
    fields: {
      authority: "optionalKey",
      withdrawWithheldAuthorityElgamalPubkey: "bytes32",
      harvestToMintEnabled: "bool",
      withheldAmount: "bytes64",
    },
  },
  confidentialTransferFeeAmount: { type: 17, on: "tokenAccount", fields: { withheldAmount: "bytes64" } },
  metadataPointer: {
    type: 18,
    on: "mint",
    fields: { authority: "optionalKey", metadataAddress: "optionalKey" },
  },
  groupPointer: { type: 20, on: "mint", fields: { authority: "optionalKey", groupAddress: "optionalKey" } },
  tokenGroup: {
    type: 21,
    on: "mint",
    fields: { updateAuthority: "optionalKey", mint: "key", size: "u64", maxSize: "u64" },
  },
  groupMemberPointer: {
    type: 22,
    on: "mint",
    fields: { authority: "optionalKey", memberAddress: "optionalKey" },
  },
  tokenGroupMember: { type: 23, on: "mint", fields: { mint: "key", group: "key", memberNumber: "u64" } },
  confidentialMintBurn: {
    type: 24,
    on: "mint",
    fields: {
      confidentialSupply: "bytes64",
      decryptableSupply: "bytes36",
      supplyElgamalPubkey: "bytes32",
      pendingBurn: "bytes64",
    },
  },
  scaledUiAmountConfig: {
    type: 25,
    on: "mint",
    fields: {
      authority: "optionalKey",
      multiplier: "f64",
      newMultiplierEffectiveTimestamp: "i64",
      newMultiplier: "f64",
    },
  },
  pausableConfig: { type: 26, on: "mint", fields: { authority: "optionalKey", paused: "bool" } },
  pausableAccount: { type: 27, on: "tokenAccount", fields: null },
  permissionedBurnConfig: { type: 28, on: "mint", fields: { authority: "optionalKey" } },
} as const satisfies Readonly<Record<string, ExtensionLayout>>;

export type FixedExtensionName = keyof typeof extensionLayouts;
export type ExtensionName = FixedExtensionName | "tokenMetadata";

const TOKEN_METADATA_TYPE = 19;

const names = Object.keys(extensionLayouts) as FixedExtensionName[];
const nameOfType: ReadonlyMap<number, ExtensionName> = new Map<number, ExtensionName>([
  ...names.map((name) => [extensionLayouts[name].type, name] as const),
  [TOKEN_METADATA_TYPE, "tokenMetadata"],
]);

/** Null for a type that is not known (type 0, which ends the list, included). */
export const extensionNameOf = (type: number): ExtensionName | null => nameOfType.get(type) ?? null;

/** The record a known extension belongs to. */
export const extensionHostOf = (name: ExtensionName): ExtensionHost =>
  name === "tokenMetadata" ? "mint" : extensionLayouts[name].on;

/** Type number of a known extension. */
export const extensionTypeOf = (name: ExtensionName): number =>
  name === "tokenMetadata" ? TOKEN_METADATA_TYPE : extensionLayouts[name].type;
