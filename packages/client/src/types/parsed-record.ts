// Each program's records under `jsonParsed`, in the form that Agave gives them. Amounts are decimal strings there.
import type { TokenAmount } from "../generated/values.ts";

/** Parsed records by the name of their program. */
export interface ParsedRecord {
  /** SPL Token. */
  "spl-token": ParsedToken;
  /** Token-2022: the same records, with extensions. */
  "spl-token-2022": ParsedToken;
  /** Stake program. */
  stake: ParsedStake;
  /** Vote program. */
  vote: Typed<"vote", VoteInfo>;
  /** A nonce account of the System program. */
  nonce: Typed<"initialized", NonceInfo>;
  /** Address Lookup Table program. */
  "address-lookup-table": { type: "uninitialized" } | Typed<"lookupTable", LookupTableInfo>;
  /** Programs, their data and their buffers. */
  "bpf-upgradeable-loader": ParsedLoader;
  /** Config program: what a validator publishes about itself. */
  config: Typed<"validatorInfo", ValidatorInfo>;
  /** Sysvar accounts of the runtime. */
  sysvar: ParsedSysvar;
}

interface Typed<Type extends string, Info> {
  type: Type;
  info: Info;
}

/** Accounts of the token programs. */
export type ParsedToken =
  | Typed<"account", TokenAccountInfo>
  | Typed<"mint", MintInfo>
  | Typed<"multisig", MultisigInfo>;

/** An account that holds tokens of one mint. */
export interface TokenAccountInfo {
  /** Mint of the tokens, in base58. */
  mint: string;
  /** Wallet that owns the tokens, in base58. */
  owner: string;
  /** `frozen`: the tokens cannot move until the freeze authority thaws the account. */
  state: "uninitialized" | "initialized" | "frozen";
  /** Whether the tokens are wrapped SOL. */
  isNative: boolean;
  /** Tokens held. */
  tokenAmount: TokenAmount;
  /** Address that may move `delegatedAmount`; absent without one. */
  delegate?: string;
  /** Tokens that the delegate may still move; absent without a delegate. */
  delegatedAmount?: TokenAmount;
  /** Address that may close the account in place of its owner; absent without one. */
  closeAuthority?: string;
  /** Lamports that are not part of the balance. Only of wrapped SOL. */
  rentExemptReserve?: TokenAmount;
  /** Only of Token-2022. */
  extensions?: TokenExtension[];
}

/** A token. */
export interface MintInfo {
  /** Decimal places of an amount, 0 to 255. */
  decimals: number;
  /** Address that may freeze token accounts; null = none. */
  freezeAuthority: string | null;
  /** False before the mint is set up. */
  isInitialized: boolean;
  /** Address that may mint more; null = the supply is fixed. */
  mintAuthority: string | null;
  /** Raw units, a u64 as decimal text. */
  supply: string;
  /** Only of Token-2022. */
  extensions?: TokenExtension[];
}

/** An extension of Token-2022; markers have no state. */
export interface TokenExtension {
  /** Name of the extension, such as `transferFeeConfig`. */
  extension: string;
  /** Its values in the form of Agave; absent for markers. */
  state?: unknown;
}

/** An authority of several signers. */
export interface MultisigInfo {
  /** False before the signers are set. */
  isInitialized: boolean;
  /** Signatures that an instruction needs, 1 to 11. */
  numRequiredSigners: number;
  /** Signers that are set, 1 to 11. */
  numValidSigners: number;
  /** Addresses of the signers, in base58. */
  signers: string[];
}

/** Accounts of the Stake program. */
export type ParsedStake =
  | { type: "uninitialized" | "rewardsPool" }
  | Typed<"initialized", { meta: StakeMeta; stake: null }>
  | Typed<"delegated", { meta: StakeMeta; stake: StakeDelegation }>;

/** The addresses that control a stake account. */
export interface StakeMeta {
  /** `staker` may delegate; `withdrawer` may withdraw and replace both. In base58. */
  authorized: { staker: string; withdrawer: string };
  /** Only `custodian` may withdraw until this epoch and this time (Unix seconds). */
  lockup: { custodian: string; epoch: number; unixTimestamp: number };
  /** Lamports that cannot be delegated, a u64 as decimal text. */
  rentExemptReserve: string;
}

/** The delegation of the stake. */
export interface StakeDelegation {
  /** Vote credits up to which rewards are paid. */
  creditsObserved: number;
  /** `stake` in lamports to the vote account `voter`, with the epochs of activation and deactivation. u64 as decimal text; deactivation 2^64 - 1 = not deactivated. */
  delegation: { activationEpoch: string; deactivationEpoch: string; stake: string; voter: string };
}

/** A vote account of a validator. */
export interface VoteInfo {
  /** Address that may vote, from each epoch on. */
  authorizedVoters: { authorizedVoter: string; epoch: number }[];
  /** Address that may withdraw, in base58. */
  authorizedWithdrawer: string;
  /** Address that receives block revenue, in base58. */
  blockRevenueCollector: string;
  /** Share of block revenue that the validator keeps, in basis points. */
  blockRevenueCommissionBps: number;
  /** BLS key of the validator, in base58; null = none. */
  blsPubkeyCompressed: string | null;
  /** Share of rewards that the validator keeps, in percent. */
  commission: number;
  /**
   * Credits at the end of each of the last epochs. u64 as decimal text. 2^64 - 1 in all three members marks the
   * migration of the cluster to Alpenglow; credits are lamports from there on.
   */
  epochCredits: { credits: string; epoch: number; previousCredits: string }[];
  /** Address that receives the commission of inflation rewards, in base58. */
  inflationRewardsCollector: string;
  /** Share of inflation rewards that the validator keeps, in basis points. */
  inflationRewardsCommissionBps: number;
  /** Slot and time (Unix seconds) of the newest vote with a timestamp. */
  lastTimestamp: { slot: number; timestamp: number };
  /** Identity of the validator, in base58. */
  nodePubkey: string;
  /** Rewards in lamports that are not distributed yet, a u64 as decimal text. */
  pendingDelegatorRewards: string;
  /** Always empty: Agave gives no earlier voters. */
  priorVoters: unknown[];
  /** Root of the vote tower; null before the first. */
  rootSlot: number | null;
  /** The vote tower, oldest vote first: slot, confirmations, and slots until the vote landed. */
  votes: { confirmationCount: number; latency: number; slot: number }[];
}

/** A durable nonce. */
export interface NonceInfo {
  /** Address that may advance the nonce, in base58. */
  authority: string;
  /** The nonce: it takes the place of a recent blockhash. */
  blockhash: string;
  /** Fees at the time the nonce was stored. */
  feeCalculator: FeeCalculator;
}

/** Fees of a transaction. */
export interface FeeCalculator {
  /** Lamports, a u64 as decimal text. */
  lamportsPerSignature: string;
}

/** Addresses that transactions can name by index. */
export interface LookupTableInfo {
  /** In base58, by index. */
  addresses: string[];
  /** Address that may extend and close the table; absent for a frozen one. */
  authority?: string;
  /** Slot of the deactivation, as decimal text; 2^64 - 1 = active. */
  deactivationSlot: string;
  /** Slot in which addresses were last added, as decimal text. */
  lastExtendedSlot: string;
  /** Index of the first address that was added in that slot. */
  lastExtendedSlotStartIndex: number;
}

/** Accounts of the upgradeable loader. `data` is the program in base64. */
export type ParsedLoader =
  | { type: "uninitialized" }
  | Typed<"buffer", { authority: string | null; data: [data: string, encoding: "base64"] }>
  | Typed<"program", { programData: string }>
  | Typed<
      "programData",
      { authority: string | null; data: [data: string, encoding: "base64"]; slot: number }
    >;

/** A validator publishes these facts about itself. */
export interface ValidatorInfo {
  /** JSON that the validator wrote, such as `{ name, website }`. It is not checked. */
  configData: unknown;
  /** The account type and the identity; the identity must have signed. */
  keys: { pubkey: string; signer: boolean }[];
}

/** Sysvars by the name of their record. */
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

/** The clock of the chain. */
export interface SysvarClock {
  /** Current epoch. */
  epoch: number;
  /** Time of the first slot of the epoch, in Unix seconds. */
  epochStartTimestamp: number;
  /** Newest epoch whose leaders are known. */
  leaderScheduleEpoch: number;
  /** Current slot. */
  slot: number;
  /** Time that validators agree on, in Unix seconds. */
  unixTimestamp: number;
}

/** The division of slots into epochs. */
export interface SysvarEpochSchedule {
  /** First epoch of full length. */
  firstNormalEpoch: number;
  /** First slot of that epoch. */
  firstNormalSlot: number;
  /** Slots before an epoch at which its leaders are fixed. */
  leaderScheduleSlotOffset: number;
  /** Slots of an epoch of full length. */
  slotsPerEpoch: number;
  /** Whether the first epochs are shorter. */
  warmup: boolean;
}

/** Distribution of the rewards of an epoch over several blocks. */
export interface SysvarEpochRewards {
  /** Whether rewards are being distributed. */
  active: boolean;
  /** Lamports distributed so far, a u64 as decimal text. */
  distributedRewards: string;
  /** Height of the first block that distributes. */
  distributionStartingBlockHeight: number;
  /** Blocks over which rewards are distributed. */
  numPartitions: number;
  /** Blockhash that assigns accounts to blocks. */
  parentBlockhash: string;
  /** Sum of all points, a u128 as decimal text. */
  totalPoints: string;
  /** Lamports of the epoch, a u64 as decimal text. */
  totalRewards: string;
}

/** Stake of the whole cluster in one epoch, in lamports. */
export interface StakeHistoryEntry {
  /** Stake that is activating. */
  activating: number;
  /** Stake that is deactivating. */
  deactivating: number;
  /** Stake that counts. */
  effective: number;
}
