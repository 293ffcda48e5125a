import type { Slot } from "@lamplight/core";
import type { FinalSlots } from "./final-slots.ts";
import type { ConfirmedSlot, ConfirmedChain } from "./confirmed-chain.ts";
import type { PendingSlots } from "./pending-slots.ts";

/**
 * The current work of an RPC source. Each phase has exactly the fields that live during it.
 *
 * connecting → filling → filled → settling → following, where the store was empty; connecting → filling → filled →
 * following, where it lacked a part; connecting → following, where it was complete. A slot that is not finalized, or
 * too many changes that wait: → rolling back → connecting. A lost connection changes no phase: what is known stays
 * known, and is read again.
 */
export type RpcPhase = Connecting | Filling | Filled | Settling | Following | RollingBack;

/** The store was not read yet. The next session reads it and continues with `next`. */
interface Connecting {
  readonly kind: "connecting";
  /** The slot of the store; 0 = it is empty. */
  readonly slot: Slot;
  readonly next: "filling" | "filled" | "following";
}

/**
 * The missing parts are read as finalized, and emitted at once. Notifications are ignored, because everything is read
 * again.
 */
export interface Filling {
  readonly kind: "filling";
  readonly chain: ConfirmedChain;
  /** Read and not emitted yet. */
  readonly filling: PendingSlots;
}

/** Everything was read once, from answers at many slots. The reader is not notified of that yet. */
interface Filled {
  readonly kind: "filled";
  readonly chain: ConfirmedChain;
}

/** The first slot that is newer than all these answers. Once it is finalized, the store is consistent. */
interface Settling {
  readonly kind: "settling";
  readonly chain: ConfirmedChain;
  readonly first: ConfirmedSlot;
  readonly final: FinalSlots;
}

/** Confirmed slots are emitted one after the other. */
interface Following {
  readonly kind: "following";
  readonly chain: ConfirmedChain;
  readonly final: FinalSlots;
}

/**
 * Slots emitted above `slot` are rolled back, once the session has ended and the reader has processed every earlier
 * event.
 */
interface RollingBack {
  readonly kind: "rollingBack";
  readonly slot: Slot;
  readonly next: "filled" | "following";
}
