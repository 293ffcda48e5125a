import { decodeAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import {
  type Consensus,
  type Coverage,
  GENESIS_CERTIFICATE_ADDRESS,
  reads,
  type ViewSource,
} from "@lamplight/core";

/** Milliseconds between two reads. */
const READ_MS = 60_000;

const certificate = decodeAddress(GENESIS_CERTIFICATE_ADDRESS);

/** The consensus of the cluster of a store, by the account of its genesis certificate. */
export class StoredConsensus {
  readonly #source: ViewSource;
  readonly #coverage: Coverage;
  readonly #timer: NodeJS.Timeout;
  #found: Consensus | null = null;

  constructor(source: ViewSource, coverage: Coverage) {
    this.#source = source;
    this.#coverage = coverage;
    this.#timer = setInterval(() => void this.refresh(), READ_MS).unref();
  }

  /** Null = not known: not read yet, or the store does not cover the account. */
  get found(): Consensus | null {
    return this.#found;
  }

  /** Reads the account at the finalized slot. A failed read changes nothing. */
  async refresh(): Promise<void> {
    if (this.#found === "alpenglow") return;
    try {
      this.#found = await readConsensus(this.#source, this.#coverage);
    } catch {
      // The store is being read for other reasons too, and these report its failure.
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

const readConsensus = async (source: ViewSource, coverage: Coverage): Promise<Consensus | null> => {
  const view = await source.openView("finalized");
  try {
    const account = await view.read(reads.account(certificate));
    // Anyone can send lamports there; data only comes from the cluster.
    const isThere =
      account !== null &&
      account.lamports > 0n &&
      account.data.length > 0 &&
      sameBytes(account.programOwner, programAddresses.system);
    if (isThere) return "alpenglow";
    return coverage.kind === "whole" ? "towerbft" : null;
  } finally {
    view.close();
  }
};
