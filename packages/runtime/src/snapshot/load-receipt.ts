import type { Coverage } from "@lamplight/core";
import type { SnapshotProof } from "@lamplight/sources/snapshot";

/** Key in the store for its origin and the proofs of it. */
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
   * Whether the search for accounts that selected ones depend on was completed; null where everything was selected.
   * Accounts that the filter itself selects are complete in any case.
   */
  readonly selectionEnded: boolean | null;
  /** The comparisons that were made, as text. The accounts hash comes last and proves most. */
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
  /** The sum of those fields of stored accounts that the chain's hash does not cover. */
  readonly versionSum: string;
  readonly storages: number;
  readonly records: number;
  readonly addresses: number;
  readonly tombstones: number;
  /** Living accounts of the chain. The store has as many, or those of its coverage. */
  readonly livingAccounts: number;
  readonly accountsStored: number;
  readonly assets: number;
  readonly incompleteTrees: number;
  readonly seconds: number;
}

/** A sentence for a selection that was not completed. */
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

/** The receipt as text. */
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
