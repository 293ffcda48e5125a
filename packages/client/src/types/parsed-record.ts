// What `jsonParsed` gives for each program, in the form that Agave gives it. Amounts are decimal strings there.
import type { TokenAmount } from "../generated/types.ts";

/** Parsed records by the name of their program. */
export interface ParsedRecord {
  "spl-token": ParsedToken;
  "spl-token-2022": ParsedToken;
  stake: ParsedStake;
  vote: Typed<"vote", VoteInfo>;
  nonce: Typed<"initialized", NonceInfo>;
  "address-lookup-table": { type: "uninitialized" } | Typed<"lookupTable", LookupTableInfo>;
  "bpf-upgradeable-loader": ParsedLoader;
  config: Typed<"validatorInfo", ValidatorInfo>;
  sysvar: ParsedSysvar;
}

interface Typed<Type extends string, Info> {
  type: Type;
  info: Info;
}

export type ParsedToken =
  | Typed<"account", TokenAccountInfo>
  | Typed<"mint", MintInfo>
  | Typed<"multisig", MultisigInfo>;

export interface TokenAccountInfo {
  mint: string;
  owner: string;
  state: "uninitialized" | "initialized" | "frozen";
  isNative: boolean;
  tokenAmount: TokenAmount;
  delegate?: string;
  delegatedAmount?: TokenAmount;
  closeAuthority?: string;
  rentExemptReserve?: TokenAmount;
  /** Of Token-2022. */
  extensions?: TokenExtension[];
}

export interface MintInfo {
  decimals: number;
  freezeAuthority: string | null;
  isInitialized: boolean;
  mintAuthority: string | null;
  /** Token units, as a decimal string. */
  supply: string;
  /** Of Token-2022. */
  extensions?: TokenExtension[];
}

/** An extension of Token-2022; markers have no state. */
export interface TokenExtension {
  extension: string;
  state?: unknown;
}

export interface MultisigInfo {
  isInitialized: boolean;
  numRequiredSigners: number;
  numValidSigners: number;
  signers: string[];
}

export type ParsedStake =
  | { type: "uninitialized" | "rewardsPool" }
  | Typed<"initialized", { meta: StakeMeta; stake: null }>
  | Typed<"delegated", { meta: StakeMeta; stake: StakeDelegation }>;

export interface StakeMeta {
  authorized: { staker: string; withdrawer: string };
  lockup: { custodian: string; epoch: number; unixTimestamp: number };
  rentExemptReserve: string;
}

export interface StakeDelegation {
  creditsObserved: number;
  delegation: { activationEpoch: string; deactivationEpoch: string; stake: string; voter: string };
}

export interface VoteInfo {
  authorizedVoters: { authorizedVoter: string; epoch: number }[];
  authorizedWithdrawer: string;
  blockRevenueCollector: string;
  blockRevenueCommissionBps: number;
  blsPubkeyCompressed: string | null;
  /** Percent. */
  commission: number;
  epochCredits: { credits: string; epoch: number; previousCredits: string }[];
  inflationRewardsCollector: string;
  inflationRewardsCommissionBps: number;
  lastTimestamp: { slot: number; timestamp: number };
  nodePubkey: string;
  pendingDelegatorRewards: string;
  priorVoters: unknown[];
  rootSlot: number | null;
  votes: { confirmationCount: number; latency: number; slot: number }[];
}

export interface NonceInfo {
  authority: string;
  blockhash: string;
  feeCalculator: FeeCalculator;
}

export interface FeeCalculator {
  lamportsPerSignature: string;
}

export interface LookupTableInfo {
  addresses: string[];
  authority?: string;
  deactivationSlot: string;
  lastExtendedSlot: string;
  lastExtendedSlotStartIndex: number;
}

export type ParsedLoader =
  | { type: "uninitialized" }
  | Typed<"buffer", { authority: string | null; data: [data: string, encoding: "base64"] }>
  | Typed<"program", { programData: string }>
  | Typed<
      "programData",
      { authority: string | null; data: [data: string, encoding: "base64"]; slot: number }
    >;

export interface ValidatorInfo {
  configData: unknown;
  keys: { pubkey: string; signer: boolean }[];
}

export type ParsedSysvar =
  | Typed<"clock", SysvarClock>
  | Typed<"epochSchedule", SysvarEpochSchedule>
  | Typed<"epochRewards", SysvarEpochRewards>
  | Typed<"fees", { feeCalculator: FeeCalculator }>
  | Typed<"lastRestartSlot", { lastRestartSlot: number }>
  | Typed<"recentBlockhashes", { blockhash: string; feeCalculator: FeeCalculator }[]>
  | Typed<"rent", { lamportsPerByte: string }>
  | Typed<"rewards", { validatorPointValue: number }>
  | Typed<"slotHashes", { hash: string; slot: number }[]>
  | Typed<"slotHistory", { bits: string; nextSlot: number }>
  | Typed<"stakeHistory", { epoch: number; stakeHistory: StakeHistoryEntry }[]>;

export interface SysvarClock {
  epoch: number;
  epochStartTimestamp: number;
  leaderScheduleEpoch: number;
  slot: number;
  unixTimestamp: number;
}

export interface SysvarEpochSchedule {
  firstNormalEpoch: number;
  firstNormalSlot: number;
  leaderScheduleSlotOffset: number;
  slotsPerEpoch: number;
  warmup: boolean;
}

export interface SysvarEpochRewards {
  active: boolean;
  distributedRewards: string;
  distributionStartingBlockHeight: number;
  numPartitions: number;
  parentBlockhash: string;
  totalPoints: string;
  totalRewards: string;
}

export interface StakeHistoryEntry {
  activating: number;
  deactivating: number;
  effective: number;
}
