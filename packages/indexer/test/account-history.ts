import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import { type Account, type Commitment, reads, type Slot, type ViewSource } from "@lamplight/core";
import type { RpcLedger } from "@lamplight/devchain/upstream";
import { expect } from "vitest";
import { clock, contentOf } from "./rpc-chaos-state.ts";

/** Every state an account ever had on a chain, with the slot it began at. */
export class AccountHistory {
  readonly #ledger: RpcLedger;
  readonly #states = new Map<string, { readonly slot: Slot; readonly content: string }[]>();
  #reported: Slot = -1;

  constructor(ledger: RpcLedger) {
    this.#ledger = ledger;
  }

  /** Notes the blocks that are new since the last call. */
  note(): void {
    const { tip } = this.#ledger;
    for (const block of this.#ledger.blocks(this.#reported, tip.slot)) {
      for (const account of block.writes) {
        const address = encodeAddress(account.address);
        const list = this.#states.get(address) ?? [];
        list.push({ slot: block.slot, content: contentOf(account) });
        this.#states.set(address, list);
      }
    }
    this.#reported = tip.slot;
  }

  /** Anything may be missing, but nothing is from beyond the view's slot or never was, and finalized is final. */
  async expectPossible(viewSource: ViewSource): Promise<void> {
    for (const commitment of ["processed", "confirmed", "finalized"] as const) {
      const view = await viewSource.openView(commitment);
      try {
        if (commitment === "finalized") expect(view.slot).toBeLessThanOrEqual(this.#ledger.final.slot);
        for (const [address, states] of this.#states) {
          const account = await view.read(reads.account(decodeAddress(address)));
          if (account === null) continue;
          const possible = states.filter(({ slot }) => slot <= view.slot).map(({ content }) => content);
          expect([address, commitment, ...possible]).toContain(contentOf(account));
        }
      } finally {
        view.close();
      }
    }
  }

  /** A view shows the chain's state at its slot: of the accounts that are followed, and no others. */
  async expectState(
    viewSource: ViewSource,
    commitment: Commitment,
    isFollowed: (account: Account, address: string) => boolean,
  ): Promise<void> {
    const view = await viewSource.openView(commitment);
    try {
      const truth = this.#ledger.stateAt(view.slot);
      for (const address of this.#states.keys()) {
        if (address === clock) continue;
        const account = await view.read(reads.account(decodeAddress(address)));
        const wanted = truth.get(address);
        const isWanted = wanted !== undefined && isFollowed(wanted, address);
        expect([commitment, address, account === null ? null : contentOf(account)]).toEqual([
          commitment,
          address,
          isWanted ? contentOf(wanted) : null,
        ]);
      }
    } finally {
      view.close();
    }
  }
}
