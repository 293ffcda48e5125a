import {
  decodeEditionAccount,
  decodeMetadata,
  decodeMint,
  decodeTokenAccount,
  type EditionAccount,
  encodeAddress,
  isTokenProgram,
  type MasterEditionAccount,
  type Metadata,
  type Mint,
  programAddresses,
  sameBytes,
  type TokenAccount,
} from "@lamplight/codecs";
import { type AssetInterface, type Edition, isOlderVersion } from "@lamplight/core";
import { assetRecord, type AssetRecord, type PrintSupply } from "../record/asset-record.ts";
import type { AssetKind, AssetView, DerivedAsset, KnownAccount } from "../rules/rules.ts";
import { type MintExtensions, readMintExtensions } from "./mint-extensions.ts";
import { editionAddressOf } from "./token-metadata.ts";

/** A mint of either token program, with its metadata, edition and owner where they are known. */
export const tokenKind: AssetKind = {
  name: "token",
  derive: (view) => {
    const metadata = findMetadata(view);
    const edition = metadata === null ? null : findEdition(view, metadata.decoded);
    const token = findToken(view);
    if (token === null && edition === null) return null;
    return {
      record: token === null ? null : recordOf(view, { ...token, metadata, edition }),
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
  readonly edition: FoundEdition | null;
}

const findToken = ({ self }: AssetView): Pick<TokenParts, "mint" | "extensions"> | null => {
  if (self === null || !isTokenProgram(self.speaking.programOwner)) return null;
  const mint = decodeMint(self.speaking.data);
  if (mint === null) return null;
  return { mint: { account: self, decoded: mint }, extensions: readMintExtensions(mint.extensions) };
};

/** A mint has one metadata address; should a store hold several claims, the newest living one counts. */
const findMetadata = (view: AssetView): Decoded<Metadata> | null => {
  const accounts = view.linked("metadata");
  const living = accounts.filter((account) => !account.closed);
  const account = newest(living.length > 0 ? living : accounts);
  const decoded = account === null ? null : decodeMetadata(account.speaking.data);
  return account === null || decoded === null ? null : { account, decoded };
};

const findEdition = (view: AssetView, metadata: Metadata): FoundEdition | null => {
  const address = editionAddressOf(metadata);
  if (address === null) return null;
  const account = view.find(address);
  const decoded = account === null ? null : decodeEditionAccount(account.speaking.data);
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
  const own = ownMetadata(view, parts);
  const texts = own ?? metadata;
  const assetInterface = interfaceOf(parts);
  const fungible = isFungible(assetInterface);
  const owner = fungible ? null : findOwner(view);
  const supply = mint.account.closed ? 0n : mint.decoded.supply;
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
    // Approved is approved, whatever amount is left: so do the programs and the other readers count.
    delegate: owner?.decoded.delegate ?? null,
    frozen: owner?.decoded.state === "frozen",
    basisPoints: metadata?.sellerFeeBasisPoints ?? 0,
    primarySaleHappened: metadata?.primarySaleHappened ?? false,
    creators: metadata?.creators ?? [],
    groups: groupsOf(metadata),
    uses: usesOf(metadata),
    print: fungible ? null : printSupply(metadata, parts.edition),
    mutable: metadata?.isMutable ?? (own === null || own.updateAuthority !== null),
    burnt: mint.account.closed || (!fungible && supply === 0n),
    supply,
    supplyMint: view.id,
    tokenInfo: {
      supply,
      decimals: mint.decoded.decimals,
      tokenProgram: mint.account.speaking.programOwner,
      mintAuthority: mint.decoded.mintAuthority,
      freezeAuthority: mint.decoded.freezeAuthority,
    },
    extensions: extensions.shown === null ? {} : { mint_extensions: extensions.shown },
    updatedSlot: newestSlot(mint, parts.metadata, parts.edition?.found ?? null, owner),
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

const interfaceOf = ({ mint, metadata, edition }: TokenParts): AssetInterface => {
  const standard = metadata?.decoded.tokenStandard ?? null;
  const byStandard = standard === null ? null : standardInterfaces[standard];
  if (byStandard === "V1_NFT" || byStandard === "ProgrammableNFT") return byStandard;
  const { decimals, supply, mintAuthority } = mint.decoded;
  const isToken2022 = sameBytes(mint.account.speaking.programOwner, programAddresses.token2022);
  const single = decimals === 0 && supply === 1n;
  if (single && isToken2022) return "V1_NFT";
  if (byStandard !== null) return byStandard;
  const hasEdition = (edition?.found ?? null) !== null;
  if (single) return hasEdition ? "V1_NFT" : "Custom";
  if (decimals !== 0 || supply !== 0n) return "FungibleToken";
  // Burning takes the supply first: what had an edition, or lost its metadata, was an NFT.
  if (hasEdition || metadata?.account.closed === true) return "V1_NFT";
  // So was, most likely, what nobody can ever mint again; one that is still to be minted has an authority.
  if (mintAuthority === null) return isToken2022 ? "V1_NFT" : "Custom";
  return "FungibleToken";
};

const isFungible = (assetInterface: AssetInterface): boolean =>
  assetInterface === "FungibleToken" || assetInterface === "FungibleAsset";

/** A mint's own metadata counts when its pointer leads to itself; else the Token Metadata account, if there is one. */
const ownMetadata = (view: AssetView, { extensions }: TokenParts) =>
  extensions.metadataAddress !== null && sameBytes(extensions.metadataAddress, view.id)
    ? extensions.metadata
    : null;

const withoutNul = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text);

/** The token account that holds the one unit; of several claims, while a transfer is half seen, the newest. */
const findOwner = (view: AssetView): Decoded<TokenAccount> | null => {
  const account = newest(view.linked("holder").filter((holder) => !holder.closed));
  const decoded = account === null ? null : decodeTokenAccount(account.speaking.data);
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
const printSupply = (metadata: Metadata | null, edition: FoundEdition | null): PrintSupply => {
  const account = edition?.found?.decoded ?? null;
  const master = account?.kind === "masterEdition" ? account : null;
  return {
    maxSupply: master === null ? 0n : master.maxSupply,
    currentSupply: master?.supply ?? 0n,
    editionNonce: metadata?.editionNonce ?? null,
    editionNumber: account?.kind === "edition" ? account.number : null,
  };
};

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
