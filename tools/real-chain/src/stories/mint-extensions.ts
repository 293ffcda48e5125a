import type { Random } from "@lamplight/devchain";
import { AccountState, extension, type ExtensionArgs } from "@solana-program/token-2022";
import type { Address } from "@solana/kit";

export interface MintExtensions {
  /** Initialized before the mint. */
  readonly first: readonly ExtensionArgs[];
  /** Initialized after it, within the mint's own account. */
  readonly after: readonly ExtensionArgs[];
}

/** A program that does not exist: transfers of a mint with it as hook are refused. */
const noProgram = "11111111111111111111111111111111" as Address;

/** Any subset that the program accepts, in any order; `boss` may change everything. */
export const randomMintExtensions = (random: Random, mint: Address, boss: Address): MintExtensions => {
  const some = <Value>(percent: number, make: () => Value): Value[] =>
    random.percent(percent) ? [make()] : [];
  const metadata = random.percent(35);
  const group = random.percent(20);
  const first: ExtensionArgs[] = [
    ...some(30, () => transferFee(random, boss)),
    ...some(30, () => extension("MintCloseAuthority", { closeAuthority: boss })),
    ...some(20, () => extension("DefaultAccountState", { state: defaultState(random) })),
    ...uiAmount(random, boss),
    ...some(10, () => extension("NonTransferable", {})),
    ...some(25, () => extension("PermanentDelegate", { delegate: boss })),
    ...some(10, () => extension("TransferHook", { authority: boss, programId: noProgram })),
    ...some(25, () => extension("PausableConfig", { authority: boss, paused: false })),
    ...(metadata ? [extension("MetadataPointer", { authority: boss, metadataAddress: mint })] : []),
    ...(group ? [extension("GroupPointer", { authority: boss, groupAddress: mint })] : []),
    ...some(20, () => extension("GroupMemberPointer", { authority: boss, memberAddress: mint })),
  ];
  return {
    first: shuffled(random, withConfidential(random, first, boss)),
    after: [
      ...(metadata ? [ownMetadata(random, mint, boss)] : []),
      ...(group
        ? [extension("TokenGroup", { updateAuthority: boss, mint, size: 0n, maxSize: random.between(1, 9) })]
        : []),
    ],
  };
};

const defaultState = (random: Random): AccountState =>
  random.percent(50) ? AccountState.Frozen : AccountState.Initialized;

const transferFee = (random: Random, boss: Address): ExtensionArgs => {
  const fee = {
    epoch: 0,
    maximumFee: random.percent(20) ? 2n ** 64n - 1n : BigInt(random.below(1_000_000)),
    transferFeeBasisPoints: random.between(0, 10_000),
  };
  return extension("TransferFeeConfig", {
    transferFeeConfigAuthority: boss,
    withdrawWithheldAuthority: boss,
    withheldAmount: 0n,
    olderTransferFee: fee,
    newerTransferFee: fee,
  });
};

/** Interest or a multiplier: the program refuses both in one mint. */
const uiAmount = (random: Random, boss: Address): ExtensionArgs[] => {
  const kind = random.below(5);
  if (kind === 0)
    return [
      extension("InterestBearingConfig", {
        rateAuthority: boss,
        initializationTimestamp: 0n,
        preUpdateAverageRate: 0,
        lastUpdateTimestamp: 0n,
        currentRate: random.between(-32_768, 32_767),
      }),
    ];
  if (kind === 1)
    return [
      extension("ScaledUiAmountConfig", {
        authority: boss,
        multiplier: randomMultiplier(random),
        newMultiplierEffectiveTimestamp: 0n,
        newMultiplier: 0,
      }),
    ];
  return [];
};

/** Above 0, over many powers of two. */
export const randomMultiplier = (random: Random): number =>
  ((random.u32() + 1) / 2 ** 32) * 2 ** random.between(-30, 60);

/** A mint with transfer fees takes confidential transfers only with confidential fees, and the other way round. */
const withConfidential = (random: Random, others: ExtensionArgs[], boss: Address): ExtensionArgs[] => {
  if (!random.percent(20)) return others;
  const hasFee = others.some(({ __kind }) => __kind === "TransferFeeConfig");
  const transfer = extension("ConfidentialTransferMint", {
    authority: random.percent(50) ? boss : null,
    autoApproveNewAccounts: random.percent(50),
    auditorElgamalPubkey: null,
  });
  return hasFee ? others : [...others, transfer];
};

const ownMetadata = (random: Random, mint: Address, boss: Address): ExtensionArgs =>
  extension("TokenMetadata", {
    updateAuthority: boss,
    mint,
    name: `Item "${random.below(1000)}" \u2713`,
    symbol: "IT",
    uri: `https://example.com/${random.below(1000)}.json`,
    additionalMetadata: new Map(random.percent(50) ? [["color", `tone ${random.below(9)}`]] : []),
  });

const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: random.u32() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
