import { encodeAddress, type TreeTop, treeTopOf } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  type AnswerTo,
  BLOCK_LEVELS,
  blockLevels,
  blockPlaceOf,
  NodeBlock,
  nodeBlockKey,
  readAll,
  reads,
  rows,
  type Steps,
} from "@lamplight/core";
import { notCovered } from "./not-covered.ts";

/** A tree at the slot of the answer, as far as the proofs of some leaves need it. */
export interface KnownTree {
  readonly top: TreeTop;
  /** The blocks of nodes below the canopy that the paths of these leaves go through, by `placeKey`. */
  readonly blocks: ReadonlyMap<number, NodeBlock>;
}

/** A block that paths go through, if the tree is so deep. */
interface AskedBlock {
  readonly name: number;
  readonly level: number;
  readonly key: AddressBytes;
}

/** The compression programs create no deeper tree. */
const DEPTH_MAX = 30;
const levels = blockLevels(DEPTH_MAX);

/** Names a block within its tree: the lowest level, and the number among the blocks of this level. */
export const placeKey = (level: number, place: number): number =>
  (level / BLOCK_LEVELS) * 2 ** (DEPTH_MAX - BLOCK_LEVELS) + place;

/**
 * Reads the account of a tree, which may have megabytes, and the nodes next to the paths of these leaves. All of it is one
 * round. So it also asks for blocks of levels that the tree may not have.
 *
 * @throws LamplightError `STORE__NOT_COVERED` where the store has no such account
 */
export function* readTree(tree: AddressBytes, leafIndexes: readonly number[]): Steps<KnownTree> {
  const asked = new Map<number, AskedBlock>();
  for (const leafIndex of leafIndexes)
    for (const level of levels) {
      const place = blockPlaceOf(leafIndex, level);
      const name = placeKey(level, place);
      if (!asked.has(name)) asked.set(name, { name, level, key: nodeBlockKey(tree, level, place) });
    }
  const wanted = [...asked.values()];
  const [account, states] = (yield* readAll<"account" | "ledger">([
    reads.account(tree),
    reads.ledger(
      "nodes",
      wanted.map(({ key }) => key),
    ),
  ])) as [AnswerTo<"account">, AnswerTo<"ledger">];
  const top = topOf(account, tree);
  const blocks = new Map<number, NodeBlock>();
  let bytes = account!.data.length;
  for (const [index, { name, level }] of wanted.entries()) {
    const state = states[index]?.state;
    if (state === undefined || level >= top.depth - top.canopyDepth) continue;
    bytes += state.length;
    blocks.set(name, NodeBlock.parse(state));
  }
  yield rows(bytes);
  return { top, blocks };
}

const topOf = (account: Account | null, tree: AddressBytes): TreeTop => {
  const top = account === null ? null : treeTopOf(account);
  if (top === null)
    throw notCovered(`the account of tree ${encodeAddress(tree)}, which proofs are compared with`);
  return top;
};
