import type { MethodName, MethodTypes } from "@lamplight/contract";
import type { Slot } from "../domain/address.ts";
import type { Coverage, TreeCoverage } from "../domain/coverage.ts";
import type { FinishedJson } from "../json/json-bytes.ts";
import type { MethodSettings } from "./method-settings.ts";
import type { Profile } from "../profile/profile.ts";
import type { Steps } from "./steps.ts";

/** A method knows this of its call in addition to its parameters. */
export interface Call {
  readonly profile: Profile;
  readonly settings: MethodSettings;
  /** The slot of every answer. It is known from the first read or `open` on, as are the members below. */
  readonly slot: Slot;
  /** The accounts and trees that the store holds. */
  readonly coverage: Coverage;
  /** Trees with missing leaves; usually none. */
  readonly incompleteTrees: readonly TreeCoverage[];
  /** Notes that the answer lists only what the store covers: the response header `X-Coverage: partial`. */
  notePartial(): void;
  /** Notes trees whose missing leaves could change the answer. */
  noteIncompleteTrees(trees: readonly string[]): void;
  /** Notes the slot of the last update of the asset that the answer is about. */
  noteUpdatedSlot(slot: Slot): void;
  /** Notes the slot of an answer that was read earlier. */
  noteSlot(slot: Slot): void;
}

/** One method: checked parameters in, the finished JSON of `result` out. It sees no store, and nothing that waits. */
export interface Method<Params, Result> {
  /** The commitment that it reads at: the one that its config names, or the operator's for assets. */
  readonly readsAt: "asked" | "assets";
  /** Whether a call may read many rows. Default false. */
  readonly isList?: boolean;
  /**
   * Names what a caller can ask for instead of an answer that is too large.
   *
   * @param parts - finished parts so far
   */
  readonly cheaper?: (parts: number) => string;
  readonly steps: (params: Params, call: Call) => Steps<FinishedJson<Result>>;
}

/** Every method of the contract with its parameters and its result. One that is missing is a compile error. */
export type MethodTable = {
  readonly [Name in MethodName]: Method<MethodTypes[Name]["params"], MethodTypes[Name]["result"]>;
};
