import {
  decodeEditionAccount,
  decodeMetadata,
  decodeMint,
  decodeTokenAccount,
  type EditionAccount,
  encodeAddress,
  findExtension,
  isEditionAddress,
  isTokenProgram,
  type MasterEditionAccount,
  type Metadata,
  type Mint,
  programAddresses,
  sameBytes,
  type TokenAccount,
} from "@lamplight/codecs";
import { type AssetInterface, type Edition, isOlderVersion } from "@lamplight/core";
import { assetRecord, type AssetRecord, type PrintSupply } from "../../record/asset-record.ts";
import type { AssetKind, AssetView, DerivedAsset, KnownAccount } from "../../rules/rules.ts";
import { type MintExtensions, readMintExtensions } from "./mint-extensions.ts";
import { editionAddressOf } from "../token-metadata/token-metadata-rule.ts";

/** A mint of either token program, with its metadata, edition and owner where they are known. */
export const tokenKind: AssetKind = {
  name: "token",
  derive: (view) => {
    const metadata = findMetadata(view);
    const edition = metadata === null ? null : findEdition(view, metadata.decoded);
    const token = findToken(view);
    if (token === null && edition === null) return null;
    return {
      record: token === null ? null : recordOf(view, partsOf(token, metadata, edition)),
      ...editionsOf(view, edition),
    };
  },
};

/** An account of an asset with what its last words mean. */
interface Decoded<Value> {
  readonly account: KnownAccount;
  readonly decoded: Value;
}

interface FoundEdition {
  readonly address: Uint8Array;
  readonly found: Decoded<MasterEditionAccount | EditionAccount> | null;
}

interface TokenParts {
  readonly mint: Decoded<Mint>;
  readonly extensions: MintExtensions;
  readonly metadata: Decoded<Metadata> | null;
  readonly edition: FoundEdition["found"];
}

/**
 * Closed metadata and a closed edition describe the mint that ended with them. They count only while the mint is closed,
 * or is empty and cannot be minted, as a burnt NFT leaves it. Any other mint at that address was created again.
 */
const partsOf = (
  token: Pick<TokenParts, "mint" | "extensions">,
  metadata: Decoded<Metadata> | null,
  edition: FoundEdition | null,
): TokenParts => {
  const found = edition?.found ?? null;
  const { account, decoded } = token.mint;
  const isEmptied =
    supplyOf(token.mint) === 0n && decoded.decimals === 0 && canNeverBeMinted(decoded, edition);
  if (account.closed || isEmptied) return { ...token, metadata, edition: found };
  if (metadata === null || metadata.account.closed) return { ...token, metadata: null, edition: null };
  return { ...token, metadata, edition: found?.account.closed === true ? null : found };
};

/**
 * The program keeps the supply of such a mint encrypted, and never writes the public one: its 0 does not say that no unit
 * is left.
 */
const hidesSupply = ({ extensions }: Mint): boolean =>
  findExtension(extensions, "confidentialMintBurn", "mint") !== null;

/** Null where it cannot be known. A closed mint has none. */
const supplyOf = ({ account, decoded }: Decoded<Mint>): bigint | null => {
  if (account.closed) return 0n;
  return hidesSupply(decoded) ? null : decoded.supply;
};

/** Token Metadata gives the mint authority to the edition account: once that is closed, no unit can be minted. */
const canNeverBeMinted = ({ mintAuthority }: Mint, edition: FoundEdition | null): boolean =>
  mintAuthority === null || (edition !== null && sameBytes(mintAuthority, edition.address));

const findToken = ({ self }: AssetView): Pick<TokenParts, "mint" | "extensions"> | null => {
  if (self === null || !isTokenProgram(self.claiming.programOwner)) return null;
  const mint = decodeMint(self.claiming.data);
  if (mint === null) return null;
  return { mint: { account: self, decoded: mint }, extensions: readMintExtensions(mint.extensions) };
};

/** A mint has one metadata address, and its rule accepts no other. */
const findMetadata = (view: AssetView): Decoded<Metadata> | null => {
  const accounts = view.linked("metadata");
  const living = accounts.filter((account) => !account.closed);
  const account = newest(living.length > 0 ? living : accounts);
  const decoded = account === null ? null : decodeMetadata(account.claiming.data);
  return account === null || decoded === null ? null : { account, decoded };
};

const findEdition = (view: AssetView, metadata: Metadata): FoundEdition | null => {
  const address = editionAddressOf(metadata);
  if (address === null) return null;
  const account = view.find(address);
  const isOurs = account !== null && sameBytes(account.claiming.programOwner, programAddresses.tokenMetadata);
  const decoded = isOurs ? decodeEditionAccount(account.claiming.data) : null;
  return { address, found: account === null || decoded === null ? null : { account, decoded } };
};

const editionsOf = (view: AssetView, edition: FoundEdition | null): Omit<DerivedAsset, "record"> => {
  if (edition === null) return { editions: [], editionAddresses: [] };
  const { address, found } = edition;
  const print: Edition[] =
    found === null || found.account.closed || found.decoded.kind !== "edition"
      ? []
      : [{ address, parent: found.decoded.parent, mint: view.id, number: found.decoded.number }];
  return { editions: print, editionAddresses: [address] };
};

const recordOf = (view: AssetView, parts: TokenParts): AssetRecord => {
  const { mint, extensions } = parts;
  const metadata = parts.metadata?.decoded ?? null;
  const own = ownMetadata(view.id, extensions);
  const texts = own ?? metadata;
  const assetInterface = interfaceOf(parts);
  const fungible = isFungible(assetInterface);
  const supply = supplyOf(mint);
  const burnt = mint.account.closed || (!fungible && supply === 0n);
  // No one holds a unit that does not exist, even where a token account has not been seen since.
  const owner = fungible || burnt ? null : findOwner(view, mint.account);
  return assetRecord({
    id: view.id,
    interface: assetInterface,
    ownerModel: fungible ? "token" : "single",
    name: withoutNul(texts?.name ?? ""),
    symbol: withoutNul(texts?.symbol ?? ""),
    jsonUri: withoutNul(texts?.uri ?? "").trim(),
    tokenStandard: metadata?.tokenStandard ?? null,
    authority: metadata?.updateAuthority ?? null,
    assetOwner: owner?.decoded.tokenOwner ?? null,
    // Approved is approved, regardless of what amount is left: so do the programs and the other readers count.
    delegate: owner?.decoded.delegate ?? null,
    frozen: owner?.decoded.state === "frozen",
    basisPoints: metadata?.sellerFeeBasisPoints ?? 0,
    primarySaleHappened: metadata?.primarySaleHappened ?? false,
    creators: metadata?.creators ?? [],
    groups: groupsOf(metadata),
    uses: usesOf(metadata),
    print: fungible ? null : printSupply(metadata, parts.edition),
    mutable: metadata?.isMutable ?? (own === null || own.updateAuthority !== null),
    burnt,
    supply,
    supplyMint: view.id,
    tokenInfo: {
      // The mint records this supply, and getTokenSupply answers it.
      supply: supply ?? mint.decoded.supply,
      decimals: mint.decoded.decimals,
      tokenProgram: mint.account.claiming.programOwner,
      mintAuthority: mint.decoded.mintAuthority,
      freezeAuthority: mint.decoded.freezeAuthority,
    },
    extensions: extensions.shown === null ? {} : { mintExtensions: extensions.shown },
    updatedSlot: newestSlot(mint, parts.metadata, parts.edition, owner),
  });
};

const standardInterfaces = {
  NonFungible: "V1_NFT",
  NonFungibleEdition: "V1_NFT",
  ProgrammableNonFungible: "ProgrammableNFT",
  ProgrammableNonFungibleEdition: "ProgrammableNFT",
  FungibleAsset: "FungibleAsset",
  Fungible: "FungibleToken",
} as const satisfies Record<string, AssetInterface>;

/** The interface depends on mint, metadata and edition alone, never on history: see ASSET-ENDS.md. */
const interfaceOf = (parts: TokenParts): AssetInterface => {
  const { mint, metadata, edition } = parts;
  const standard = metadata?.decoded.tokenStandard ?? null;
  const byStandard = standard === null ? null : standardInterfaces[standard];
  if (byStandard === "V1_NFT" || byStandard === "ProgrammableNFT") return byStandard;
  const { decimals, supply, mintAuthority } = mint.decoded;
  if (decimals !== 0 || supply > 1n || hidesSupply(mint.decoded)) return byStandard ?? "FungibleToken";
  const isToken2022 = sameBytes(mint.account.claiming.programOwner, programAddresses.token2022);
  if (isToken2022 && (supply === 1n || isSingleByItself(parts))) return "V1_NFT";
  if (byStandard !== null) return byStandard;
  if (edition !== null) return "V1_NFT";
  if (supply === 1n) return "Custom";
  if (isHeldByEdition(mint)) return "V1_NFT";
  // No unit can ever be minted again, and nothing is known of the last: it may have been the only one.
  return mintAuthority === null ? "Custom" : "FungibleToken";
};

/**
 * Whether an empty Token-2022 mint is one that had, or is to have, a single unit. No one can mint, or its own metadata
 * belongs to another address than the mint authority: the standards for such NFTs leave the mint to a program and the metadata to
 * its author, while the issuer of a fungible token keeps both.
 */
const isSingleByItself = ({ mint, extensions }: TokenParts): boolean => {
  const { mintAuthority } = mint.decoded;
  if (mintAuthority === null) return true;
  const own = ownMetadata(mint.account.claiming.address, extensions);
  if (own === null) return false;
  return own.updateAuthority === null || !sameBytes(own.updateAuthority, mintAuthority);
};

/**
 * Whether mint and freeze authority are the mint's edition address: Token Metadata hands both over when it creates an
 * edition, and never takes them away. Without metadata and edition, no unit can ever exist again.
 */
const isHeldByEdition = ({ account, decoded }: Decoded<Mint>): boolean => {
  const { mintAuthority, freezeAuthority } = decoded;
  if (mintAuthority === null || freezeAuthority === null) return false;
  if (!sameBytes(mintAuthority, freezeAuthority)) return false;
  return isEditionAddress(mintAuthority, account.claiming.address);
};

const isFungible = (assetInterface: AssetInterface): boolean =>
  assetInterface === "FungibleToken" || assetInterface === "FungibleAsset";

/** A mint's own metadata counts when its pointer leads to itself; else the Token Metadata account, if there is one. */
const ownMetadata = (mint: Uint8Array, { metadataAddress, metadata }: MintExtensions) =>
  metadataAddress !== null && sameBytes(metadataAddress, mint) ? metadata : null;

const withoutNul = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text);

/**
 * The token account that holds the one unit; of several, while a transfer is half seen, the newest. An account of the
 * other token program holds no unit of this mint.
 */
const findOwner = (view: AssetView, mint: KnownAccount): Decoded<TokenAccount> | null => {
  const { programOwner } = mint.claiming;
  const holders = view.linked("holder");
  const account = newest(
    holders.filter(({ closed, claiming }) => !closed && sameBytes(claiming.programOwner, programOwner)),
  );
  const decoded = account === null ? null : decodeTokenAccount(account.claiming.data);
  return account === null || decoded === null ? null : { account, decoded };
};

const groupsOf = (metadata: Metadata | null) =>
  metadata === null || metadata.collection === null
    ? []
    : [
        {
          key: "collection",
          value: encodeAddress(metadata.collection.address),
          verified: metadata.collection.verified,
        },
      ];

const usesOf = (metadata: Metadata | null) =>
  metadata === null || metadata.uses === null
    ? null
    : {
        useMethod: metadata.uses.method,
        remaining: metadata.uses.remaining,
        total: metadata.uses.total,
      };

/** A master's own numbers; a print cannot be printed from, and has its own number. */
const printSupply = (metadata: Metadata | null, edition: TokenParts["edition"]): PrintSupply => {
  const account = edition?.decoded ?? null;
  const master = account?.kind === "masterEdition" ? account : null;
  return {
    maxSupply: master === null ? 0n : master.maxSupply,
    currentSupply: master?.supply ?? 0n,
    editionNonce: metadata?.editionNonce ?? null,
    editionNumber: account?.kind === "edition" ? account.number : null,
  };
};

/**
 * The newest account by slot, then by write version: a validator counts the writes of all accounts of a slot together.
 */
const newest = (accounts: readonly KnownAccount[]): KnownAccount | null => {
  let best: KnownAccount | null = null;
  for (const account of accounts)
    if (best === null || !isOlderVersion(account.current, best.current)) best = account;
  return best;
};

const newestSlot = (...accounts: readonly (Decoded<unknown> | null)[]): number => {
  let slot = 0;
  for (const found of accounts) if (found !== null) slot = Math.max(slot, found.account.current.slot);
  return slot;
};
