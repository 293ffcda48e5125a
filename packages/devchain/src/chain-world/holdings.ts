import { encodeAddress, findProgramAddress, programAddresses } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { draftOf, tombstoneOf } from "../draft.ts";
import { encodeTokenAccount } from "../encode/token.ts";
import { encodeTokenAccount2022, type ExtensionEntry } from "../encode/token-2022.ts";
import { encodeTokenRecord } from "../encode/token-metadata.ts";
import { tokenRecordSeed } from "../world.ts";
import type { WorldContext } from "./world-context.ts";
import { invalid } from "../input.ts";
import type { TokenAsset } from "./minted.ts";

/** The associated token account of one owner. */
export interface TokenHolding {
  readonly address: AddressBytes;
  readonly owner: AddressBytes;
  readonly amount: bigint;
  readonly delegate: AddressBytes | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** The token record of a programmable NFT; null = the asset has none. */
  readonly record: { readonly address: AddressBytes; readonly bump: number } | null;
}

const holdingKey = (mint: AddressBytes, owner: AddressBytes): string =>
  `holding:${encodeAddress(mint)}:${encodeAddress(owner)}`;

export const findHolding = (
  context: WorldContext,
  asset: TokenAsset,
  owner: AddressBytes,
): TokenHolding | undefined => context.journal.find<TokenHolding>(holdingKey(asset.id, owner));

/** @throws LamplightError `CHAIN__INVALID_INPUT` where the owner has no token account */
export const getHolding = (context: WorldContext, asset: TokenAsset, owner: AddressBytes): TokenHolding => {
  const found = findHolding(context, asset, owner);
  if (found === undefined) throw invalid("from", `holds nothing of ${encodeAddress(asset.id)}`);
  return found;
};

/** The holding of an owner, with these members replaced; a new one where there was none. */
export const putHolding = (
  context: WorldContext,
  asset: TokenAsset,
  owner: AddressBytes,
  change: Partial<Pick<TokenHolding, "amount" | "delegate" | "delegatedAmount" | "frozen">>,
): TokenHolding => {
  const before = findHolding(context, asset, owner) ?? newHolding(asset, owner);
  const holding = { ...before, ...change };
  context.journal.set(holdingKey(asset.id, owner), holding);
  writeHolding(context, asset, holding);
  return holding;
};

export const closeHolding = (context: WorldContext, asset: TokenAsset, holding: TokenHolding): void => {
  context.write(tombstoneOf(holding.address));
  if (holding.record !== null) context.write(tombstoneOf(holding.record.address));
  context.journal.set(holdingKey(asset.id, holding.owner), undefined);
};

const newHolding = (asset: TokenAsset, owner: AddressBytes): TokenHolding => {
  const seeds = [owner, asset.program, asset.id];
  const { address } = findProgramAddress(seeds, programAddresses.associatedToken);
  const record =
    asset.kind === "programmable-nft"
      ? findProgramAddress(
          [metadataSeed, programAddresses.tokenMetadata, asset.id, tokenRecordSeed, address],
          programAddresses.tokenMetadata,
        )
      : null;
  const isFrozenAtFirst = asset.extensions.some(
    ({ name, ...rest }) =>
      name === "defaultAccountState" && "fields" in rest && rest.fields["accountState"] === 2,
  );
  return {
    address,
    owner,
    amount: 0n,
    delegate: null,
    delegatedAmount: 0n,
    frozen: isFrozenAtFirst,
    record,
  };
};

const writeHolding = (context: WorldContext, asset: TokenAsset, holding: TokenHolding): void => {
  const isProgrammable = asset.kind === "programmable-nft";
  const fields = {
    mint: asset.id,
    tokenOwner: holding.owner,
    amount: holding.amount,
    delegate: holding.delegate,
    delegatedAmount: holding.delegatedAmount,
    // The program keeps every account of a programmable NFT frozen; its lock is in the token record.
    frozen: holding.frozen || isProgrammable,
    nativeReserve: null,
    closeAuthority: null,
  };
  const data =
    asset.program === programAddresses.token2022
      ? encodeTokenAccount2022(fields, accountExtensions(asset))
      : encodeTokenAccount(fields);
  context.write(draftOf(holding.address, asset.program, data));
  if (holding.record === null) return;
  const { address, bump } = holding.record;
  const record = encodeTokenRecord(bump, holding.frozen, holding.delegate);
  context.write(draftOf(address, programAddresses.tokenMetadata, record));
};

/** Extensions that the program adds to every account of a mint with these extensions. */
const extensionsOfAccounts: { readonly [mintExtension: string]: ExtensionEntry } = {
  transferFeeConfig: { name: "transferFeeAmount", fields: {} },
  nonTransferable: { name: "nonTransferableAccount", fields: {} },
  transferHook: { name: "transferHookAccount", fields: {} },
  pausableConfig: { name: "pausableAccount", fields: {} },
};

const accountExtensions = ({ extensions }: TokenAsset): readonly ExtensionEntry[] => [
  { name: "immutableOwner", fields: {} },
  ...extensions.flatMap(({ name }) => extensionsOfAccounts[name] ?? []),
];

const metadataSeed = new TextEncoder().encode("metadata");
