// The instructions of the Bubblegum program: tag, which arguments follow and where the accounts stand. Positions are
// zero-based; null = the instruction has no such account. The tree itself is named by its change log.

export type ArgumentForm =
  | "none"
  | "root"
  | "standard"
  | "standardMetadata"
  | "standardMetadataCollection"
  | "mintV1"
  | "mintV2"
  | "v2"
  | "delegateV2"
  | "metadataV2"
  | "updateV1"
  | "updateV2";

/** The effect of an instruction on its leaf, as far as the new leaf or its metadata differ. */
export type Effect =
  | "none"
  | "createTree"
  | "mint"
  | "transfer"
  | "delegate"
  | "burn"
  | "redeem"
  | "cancelRedeem"
  | "verifyCreator"
  | "unverifyCreator"
  | "verifyCollection"
  | "unverifyCollection"
  | "setCollection"
  | "updateMetadata"
  /** A new leaf that differs in flags or delegate only. */
  | "changeLeaf";

export interface InstructionShape {
  /** The name that the program uses. */
  readonly name: string;
  /** First eight bytes of sha256("global:" + name). */
  readonly tag: string;
  readonly effect: Effect;
  readonly leafVersion: 1 | 2;
  readonly form: ArgumentForm;
  readonly owner: number | null;
  readonly delegate: number | null;
  /** The account the effect is about: new owner, new delegate, creator, collection, voucher or mint. */
  readonly subject: number | null;
  /** Stands for the subject when that one is absent. */
  readonly subjectElse: number | null;
  /** The collection that a V2 leaf is in before the instruction. */
  readonly collection: number | null;
  /**
   * Place of the tree in an instruction whose accounts changed, now and in its early form; the other positions are those
   * of the current form and move with it. Null = one form.
   */
  readonly tree: { readonly current: number; readonly early: number } | null;
}

type Positions = Partial<
  Pick<InstructionShape, "owner" | "delegate" | "subject" | "subjectElse" | "collection" | "tree">
>;

const nowhere = {
  owner: null,
  delegate: null,
  subject: null,
  subjectElse: null,
  collection: null,
  tree: null,
};

const shape = (
  tag: string,
  name: string,
  effect: Effect,
  leafVersion: 1 | 2,
  form: ArgumentForm,
  positions: Positions = {},
): InstructionShape => ({ tag, name, effect, leafVersion, form, ...nowhere, ...positions });

const creatorChangeV1: Positions = { owner: 1, delegate: 2, subject: 5 };
const creatorChangeV2: Positions = { owner: 3, delegate: 4, subject: 2, subjectElse: 1 };
const collectionChangeV1: Positions = { owner: 1, delegate: 2, subject: 8 };
const flagChangeV2: Positions = { owner: 3, delegate: 4, collection: 6 };
const delegateChangeV2: Positions = { owner: 2, delegate: 3, subject: 4 };

export const instructionShapes: readonly InstructionShape[] = [
  shape("a553888e59ca2fdc", "create_tree", "createTree", 1, "none"),
  shape("37635fd78ecbe3cd", "create_tree_v2", "createTree", 2, "none"),
  shape("9162c076b8937668", "mint_v1", "mint", 1, "mintV1", { owner: 1, delegate: 2 }),
  shape("9912b22fc59e560f", "mint_to_collection_v1", "mint", 1, "mintV1", {
    owner: 1,
    delegate: 2,
    subject: 8,
  }),
  shape("78791792ad6ec7cd", "mint_v2", "mint", 2, "mintV2", { owner: 4, delegate: 5, collection: 7 }),
  shape("a334c8e78c0345ba", "transfer", "transfer", 1, "standard", { owner: 1, delegate: 2, subject: 3 }),
  shape("772806ebeaddf831", "transfer_v2", "transfer", 2, "v2", {
    owner: 3,
    delegate: 4,
    subject: 5,
    collection: 7,
  }),
  shape("5a934bb255580489", "delegate", "delegate", 1, "standard", { owner: 1, delegate: 2, subject: 3 }),
  shape("5f577d8cb58380e3", "delegate_v2", "delegate", 2, "delegateV2", delegateChangeV2),
  shape("11e523dabef1fa7b", "delegate_and_freeze_v2", "delegate", 2, "delegateV2", delegateChangeV2),
  shape("c897f46610c3ff03", "freeze_v2", "changeLeaf", 2, "v2", flagChangeV2),
  shape("6085655d52dc92bf", "thaw_v2", "changeLeaf", 2, "v2", flagChangeV2),
  shape("56d6be25a7041c74", "thaw_and_revoke_v2", "changeLeaf", 2, "delegateV2", { owner: 3, delegate: 2 }),
  shape("b58dce3af2c798a8", "set_non_transferable_v2", "changeLeaf", 2, "v2", flagChangeV2),
  shape("746e1d386bdb2a5d", "burn", "burn", 1, "standard", { owner: 1, delegate: 2 }),
  // It had no payer until May 2025.
  shape("73d222f0e88fb710", "burn_v2", "burn", 2, "v2", {
    owner: 3,
    delegate: 4,
    collection: 6,
    tree: { current: 5, early: 4 },
  }),
  shape("b80c569546c461e1", "redeem", "redeem", 1, "standard", { owner: 1, delegate: 2, subject: 4 }),
  shape("6f4ce83227af30f2", "cancel_redeem", "cancelRedeem", 1, "root", { owner: 1, subject: 3 }),
  // The redeem before it has emptied the leaf; the mint it creates at the asset id says all the rest.
  shape("36554c46e4faa451", "decompress_v1", "none", 1, "mintV1", { owner: 1, subject: 3 }),
  shape("34116084470455c2", "verify_creator", "verifyCreator", 1, "standardMetadata", creatorChangeV1),
  shape("6bb2392769737098", "unverify_creator", "unverifyCreator", 1, "standardMetadata", creatorChangeV1),
  shape("558a8c2a16f17666", "verify_creator_v2", "verifyCreator", 2, "metadataV2", creatorChangeV2),
  shape("ae701d8ee664ef07", "unverify_creator_v2", "unverifyCreator", 2, "metadataV2", creatorChangeV2),
  shape(
    "387165fd4f377aa9",
    "verify_collection",
    "verifyCollection",
    1,
    "standardMetadata",
    collectionChangeV1,
  ),
  shape(
    "fafb2a6a2989baa8",
    "unverify_collection",
    "unverifyCollection",
    1,
    "standardMetadata",
    collectionChangeV1,
  ),
  shape(
    "ebf279d89eeab4ea",
    "set_and_verify_collection",
    "setCollection",
    1,
    "standardMetadataCollection",
    collectionChangeV1,
  ),
  shape("e5233d5b0f0e63a0", "set_collection_v2", "setCollection", 2, "metadataV2", {
    owner: 4,
    delegate: 5,
    subject: 8,
    collection: 7,
  }),
  shape("aab62bef614ee1ba", "update_metadata", "updateMetadata", 1, "updateV1", { owner: 5, delegate: 6 }),
  shape("2b67592a79f23e48", "update_metadata_v2", "updateMetadata", 2, "updateV2", flagChangeV2),
  shape("3b386f2b5f0e0b3d", "update_asset_data_v2", "changeLeaf", 2, "none"),
  shape("fd764225be319a66", "set_tree_delegate", "none", 1, "none", { subject: 2 }),
  shape("52689806956f640d", "set_decompressible_state", "none", 1, "none"),
  shape("1287eea8f6c33d73", "set_decompressable_state", "none", 1, "none"),
  shape("2dac065e1c5a9d46", "close_tree_v2", "none", 2, "none"),
  shape("150b9f2f04c36a38", "collect_v2", "none", 2, "none"),
  shape("52c1b075b01573fd", "compress", "none", 1, "none"),
];
