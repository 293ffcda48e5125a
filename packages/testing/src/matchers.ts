import type { GetAssetResult } from "@lamplight/client";
import { encodeAddress } from "@lamplight/codecs";
import { type AddressLike, readAddress, readU64 } from "@lamplight/devchain";
import { LamplightError } from "@lamplight/errors";
import type { AssetConfig } from "./test-asset.ts";

/**
 * Matchers of `expect` for an asset or a token of a test chain. Each reads the chain, so each is awaited: `await
 * expect(cat).toBeOwnedBy(bob)`, `await expect(cat).not.toBeBurnt()`.
 */
export interface ChainMatchers {
  /** Whether a wallet is the owner of an asset. */
  toBeOwnedBy(wallet: AddressLike): Promise<void>;
  /** Whether an asset was burnt. */
  toBeBurnt(): Promise<void>;
  /** Whether the token account or plugin of an asset is frozen, as that of a programmable NFT always is. */
  toBeFrozen(): Promise<void>;
  /** Whether a wallet may move an asset in place of its owner. */
  toBeDelegatedTo(wallet: AddressLike): Promise<void>;
  /** Whether an asset is a verified member of a collection or group. */
  toBeInCollection(collection: AddressLike): Promise<void>;
  /**
   * Whether a wallet holds exactly so much of a token, in raw units: `expect(chain.token(gold)).toHaveBalance(alice, 500n)`.
   */
  toHaveBalance(owner: AddressLike, amount: bigint | number): Promise<void>;
}

/** The outcome of a matcher, as Vitest and Jest read it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A function for each matcher. Each rejects for a value of another kind, and with what reading the chain throws. */
export type MatcherFunctions = {
  readonly [Name in keyof ChainMatchers]: (
    received: unknown,
    ...expected: Parameters<ChainMatchers[Name]>
  ) => Promise<MatcherResult>;
};

/** The judgment of a matcher about an asset, as the end of "expected Cat #1 …, but …". */
interface Verdict {
  readonly pass: boolean;
  readonly wanted: string;
  readonly found: string;
}

interface ReadableAsset {
  readonly id: string;
  get(config?: AssetConfig): Promise<GetAssetResult>;
}

interface ReadableToken {
  readonly mint: string;
  balance(owner: AddressLike): Promise<bigint>;
}

/**
 * Pass it to `expect.extend(matchers)`. `@lamplight/testing/vitest` and `@lamplight/testing/jest` call that by
 * themselves.
 */
export const matchers: MatcherFunctions = {
  toBeOwnedBy: (received, wallet) =>
    judge(received, "toBeOwnedBy", ({ ownership, burnt }) => {
      const { text, name } = named(wallet, "wallet");
      const found = burnt ? "it is burnt" : ownerOf(ownership);
      return { pass: ownership.owner === text, wanted: `to be owned by ${name}`, found };
    }),
  toBeBurnt: (received) =>
    judge(received, "toBeBurnt", ({ burnt, ownership }) => ({
      pass: burnt,
      wanted: "to be burnt",
      found: ownerOf(ownership),
    })),
  toBeFrozen: (received) =>
    judge(received, "toBeFrozen", ({ ownership }) => ({
      pass: ownership.frozen,
      wanted: "to be frozen",
      found: "it is not",
    })),
  toBeDelegatedTo: (received, wallet) =>
    judge(received, "toBeDelegatedTo", ({ ownership: { delegate } }) => {
      const { text, name } = named(wallet, "wallet");
      const found = delegate === null ? "it has no delegate" : `its delegate is ${delegate}`;
      return { pass: delegate === text, wanted: `to be delegated to ${name}`, found };
    }),
  toBeInCollection: (received, collection) =>
    judge(received, "toBeInCollection", ({ grouping }) => {
      const { text, name } = named(collection, "collection");
      const groups = grouping.map(({ group_value }) => group_value);
      const found =
        groups.length === 0 ? "it is a verified member of none" : `it is in ${groups.join(" and ")}`;
      return { pass: groups.includes(text), wanted: `to be in collection ${name}`, found };
    }),
  toHaveBalance: async (received, owner, amount) => {
    if (!isToken(received)) throw wrongKind("toHaveBalance", "a token: expect(chain.token(mint))");
    const { name } = named(owner, "owner");
    const wanted = readU64(amount, "amount");
    const balance = await received.balance(owner);
    const text = `token ${received.mint}`;
    return resultOf(text, {
      pass: balance === wanted,
      wanted: `to have a balance of ${wanted} for ${name}`,
      found: `the balance is ${balance}`,
    });
  },
};

const judge = async (
  received: unknown,
  matcher: string,
  verdictOf: (asset: GetAssetResult) => Verdict,
): Promise<MatcherResult> => {
  if (!isAsset(received)) throw wrongKind(matcher, "an asset of a test chain: expect(await chain.mint(…))");
  const asset = await received.get();
  return resultOf(`${asset.content.metadata.name} (${received.id})`, verdictOf(asset));
};

const resultOf = (subject: string, { pass, wanted, found }: Verdict): MatcherResult => ({
  pass,
  message: () => (pass ? `expected ${subject} not ${wanted}` : `expected ${subject} ${wanted}, but ${found}`),
});

const ownerOf = ({ ownership_model, owner }: GetAssetResult["ownership"]): string =>
  ownership_model === "token" ? "it has many holders: use toHaveBalance" : `its owner is ${owner}`;

/** Base58 text of an address, and how a message calls it: a wallet has a name in addition. */
const named = (value: AddressLike, property: string): { readonly text: string; readonly name: string } => {
  const text = encodeAddress(readAddress(value, property));
  const isNamed = typeof value === "object" && "name" in value && typeof value.name === "string";
  return { text, name: isNamed ? `${String(value.name)} (${text})` : text };
};

const isAsset = (value: unknown): value is ReadableAsset =>
  typeof (value as Partial<ReadableAsset> | null | undefined)?.get === "function" &&
  typeof (value as ReadableAsset).id === "string";

const isToken = (value: unknown): value is ReadableToken =>
  typeof (value as Partial<ReadableToken> | null | undefined)?.balance === "function" &&
  typeof (value as ReadableToken).mint === "string";

const wrongKind = (matcher: string, needed: string): LamplightError =>
  new LamplightError("CHAIN__INVALID_INPUT", {
    property: "received",
    reason: `value of ${matcher} must be ${needed}`,
  });
