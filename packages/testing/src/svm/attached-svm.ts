import { encodeBase58 } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { attachSvm, type Attached, type Landed, type WriteSlot } from "./attach-svm.ts";
import { Blockhashes } from "./blockhashes.ts";
import {
  byAddress,
  isFailed,
  type LiteSvmLike,
  type SvmFailure,
  type SvmMetadata,
  transactionOf,
  type Wire,
} from "./lite-svm.ts";
import { readAccount } from "./read-executed.ts";
import { transactionErrorOf } from "./transaction-error.ts";

/** The result of a simulation where the transaction succeeds. */
export interface SvmSimulation {
  meta(): SvmMetadata;
}

/** A check that LiteSVM makes for every transaction, and that can be turned off. */
type Check = "withBlockhashCheck" | "withSigverify";

/** Transactions whose status is kept: the newest ones. */
const LANDED_MAX = 10_000;

/** A LiteSVM instance behind the RPC methods: the blockhashes that it answered, and the transactions in blocks. */
export class AttachedSvm {
  readonly blockhashes: Blockhashes;
  readonly #svm: LiteSvmLike;
  readonly #write: WriteSlot;
  readonly #landed = new Map<string, Landed>();
  readonly #attached: Attached;

  constructor(svm: LiteSvmLike, write: WriteSlot) {
    this.#svm = svm;
    this.#write = write;
    this.blockhashes = new Blockhashes(svm);
    this.#attached = attachSvm(svm, write, this.#addLanded);
  }

  detach(): void {
    this.#attached.detach();
  }

  /** Null for a transaction that got into no block since the instance was attached. */
  landed(signature: string): Landed | null {
    return this.#landed.get(signature) ?? null;
  }

  lamportsOf(address: AddressBytes): bigint {
    return readAccount(this.#svm, address)?.lamports ?? 0n;
  }

  rentExemption(dataLength: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(dataLength);
  }

  /** @param verifies - whether signatures are checked */
  simulate(wire: Wire, height: number, verifies: boolean): SvmSimulation | SvmFailure {
    const waivable: readonly Check[] = verifies ? [] : ["withSigverify"];
    return this.#run(wire, height, waivable, (transaction) => this.#svm.simulateTransaction(transaction));
  }

  send(wire: Wire, height: number): SvmMetadata | SvmFailure {
    return this.#run(wire, height, [], (transaction) => this.#svm.sendTransaction(transaction));
  }

  /** @returns the signature, in base58 */
  airdrop(address: AddressBytes, lamports: bigint): string | SvmFailure {
    const give = () => byAddress<unknown>(address, (key) => this.#svm.airdrop(key, lamports as never));
    let outcome = give();
    if (isFailed(outcome) && transactionErrorOf(outcome) === "AlreadyProcessed") {
      // The second airdrop of an amount is the same transaction, until the blockhash changes.
      this.#svm.expireBlockhash();
      outcome = give();
    }
    if (isFailed(outcome)) return outcome;
    const signature = encodeBase58((outcome as SvmMetadata).signature());
    const account = readAccount(this.#svm, address);
    this.#write((world) => {
      if (account !== null) world.setAccount(account);
      this.#addLanded({ signature, slot: world.nextSlot, err: null });
    });
    return signature;
  }

  /** Runs a transaction. Repeats it without a check of LiteSVM that clusters do not make, or make otherwise. */
  #run<Outcome>(
    wire: Wire,
    height: number,
    waivable: readonly Check[],
    run: (transaction: never) => unknown,
  ): Outcome | SvmFailure {
    const isValid = this.blockhashes.isValid(encodeBase58(wire.recentBlockhash), height);
    const allowed = new Set<Check>(isValid ? [...waivable, "withBlockhashCheck"] : waivable);
    const waived = new Set<Check>();
    for (;;) {
      const outcome = this.#without(waived, () => run(transactionOf(wire)));
      const failed = isFailed(outcome) ? failedCheck(outcome) : null;
      if (failed === null || !allowed.delete(failed)) return outcome as Outcome | SvmFailure;
      waived.add(failed);
    }
  }

  /** A check that failed was on. So it is turned on again. */
  #without(checks: ReadonlySet<Check>, run: () => unknown): unknown {
    for (const check of checks) this.#svm[check](false);
    try {
      return run();
    } finally {
      for (const check of checks) this.#svm[check](true);
    }
  }

  readonly #addLanded = (landed: Landed): void => {
    this.#landed.set(landed.signature, landed);
    if (this.#landed.size <= LANDED_MAX) return;
    const [oldest] = this.#landed.keys();
    this.#landed.delete(oldest!);
  };
}

const failedCheck = (failure: SvmFailure): Check | null => {
  switch (transactionErrorOf(failure)) {
    case "BlockhashNotFound":
      return "withBlockhashCheck";
    case "SignatureFailure":
      return "withSigverify";
    default:
      return null;
  }
};
