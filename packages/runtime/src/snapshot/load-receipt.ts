import type { Coverage } from "@lamplight/core";
import type { SnapshotProof } from "@lamplight/sources/snapshot";

/** Under this key the store keeps what it was loaded from and what was proved. */
export const receiptKey = "snapshot_receipt";

/** Large integers as decimal text. */
export interface LoadReceipt {
  readonly full: string;
  readonly incremental: string | null;
  readonly slot: number;
  readonly epoch: number;
  readonly blockHeight: number;
  readonly blockhash: string | null;
  readonly bankHash: string;
  readonly genesisCreationTime: string;
  readonly capitalization: string;
  readonly coverage: Coverage;
  /**
   * Whether the search for what the needed assets need in addition came to an end; null where everything was needed. What the
   * filter itself names is there either way.
   */
  readonly selectionEnded: boolean | null;
  /** What was compared, in words; the accounts hash is the last and strongest. */
  readonly proved: {
    readonly structure: "proved";
    readonly capitalization: "proved";
    readonly accountsHash: string;
    readonly bankHash: "proved" | "not proven";
  };
  readonly latticeChecksum: string | null;
  /** Null when no lattice hash was computed. */
  readonly latticeForm: "with-rent-epoch" | "without-rent-epoch" | null;
  readonly merkleRoot: string | null;
  /** Of the accounts stored: what the chain's hash leaves out of them. */
  readonly versionSum: string;
  readonly storages: number;
  readonly records: number;
  readonly addresses: number;
  readonly tombstones: number;
  /** Of the chain; the store holds as many, or those of its coverage. */
  readonly livingAccounts: number;
  readonly accountsStored: number;
  readonly assets: number;
  readonly incompleteTrees: number;
  readonly seconds: number;
}

/** For people: of a selection that did not end. */
export const selectionNote =
  "the links between the selected accounts are deeper than the search limit: collections of collections may lack accounts";

export const receiptOf = (
  proof: SnapshotProof,
  more: Pick<
    LoadReceipt,
    | "full"
    | "incremental"
    | "coverage"
    | "selectionEnded"
    | "versionSum"
    | "accountsStored"
    | "assets"
    | "incompleteTrees"
    | "seconds"
  >,
): LoadReceipt => ({
  ...more,
  slot: proof.slot,
  epoch: proof.epoch,
  blockHeight: proof.blockHeight,
  blockhash: proof.blockhash,
  bankHash: proof.bankHash,
  genesisCreationTime: proof.genesisCreationTime.toString(),
  capitalization: proof.capitalization.toString(),
  proved: {
    structure: "proved",
    capitalization: "proved",
    accountsHash: proof.accountsHash,
    bankHash: proof.bankHashProved === true ? "proved" : "not proven",
  },
  latticeChecksum: proof.latticeChecksum,
  latticeForm: proof.latticeForm,
  merkleRoot: proof.merkleRoot,
  storages: proof.storages,
  records: proof.counts.records,
  addresses: proof.counts.addresses,
  tombstones: proof.counts.tombstones,
  livingAccounts: proof.counts.living,
});

/** For people. */
export const receiptLines = (receipt: LoadReceipt, store: string): readonly string[] => [
  `${store} is at slot ${receipt.slot} (epoch ${receipt.epoch}, block height ${receipt.blockHeight})`,
  `bank hash       ${receipt.bankHash} (${receipt.proved.bankHash})`,
  `accounts hash   ${receipt.latticeChecksum ?? receipt.merkleRoot ?? "-"} (${receipt.proved.accountsHash})`,
  `capitalization  ${receipt.capitalization} lamports (proved)`,
  `accounts        ${receipt.accountsStored} stored of ${receipt.livingAccounts} living; ${receipt.records} records in ${receipt.storages} storages, ${receipt.tombstones} closed`,
  `assets          ${receipt.assets}`,
  ...(receipt.incompleteTrees > 0
    ? [
        `trees           ${receipt.incompleteTrees} lack leaves: a ledger snapshot holds none; load their transactions`,
      ]
    : []),
  ...(receipt.selectionEnded === false ? [`dependants      ${selectionNote}`] : []),
  `took            ${receipt.seconds.toFixed(1)} s`,
];
