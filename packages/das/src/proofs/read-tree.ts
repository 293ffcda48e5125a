import { encodeAddress, levelsBelowCanopy, type TreeTop } from "@lamplight/codecs";
import {
  type AddressBytes,
  type AnswerTo,
  BLOCK_LEVELS,
  type LeafPath,
  type LedgerState,
  NodeBlock,
  type PathBlock,
  pathBlocks,
  readAll,
  reads,
  rows,
  type Steps,
  TREE_DEPTH_MAX,
} from "@lamplight/core";
import { notCovered } from "./not-covered.ts";
import { ProvedPaths } from "./proved-paths.ts";

/** A tree at the slot of the answer, as far as the proofs of some leaves need it. */
export interface KnownTree {
  readonly top: TreeTop;
  /** The blocks of nodes below the canopy that the paths of these leaves go through, by `placeKey`. */
  readonly blocks: ReadonlyMap<number, NodeBlock>;
  readonly proved: ProvedPaths;
}

/** Names a block within its tree: the lowest level, and the number among the blocks of this level. */
export const placeKey = (level: number, place: number): number =>
  (level / BLOCK_LEVELS) * 2 ** (TREE_DEPTH_MAX - BLOCK_LEVELS) + place;

/**
 * Reads what the account of a tree says, and the nodes next to the paths of these leaves. All of it is one round. So it
 * also asks for blocks of levels that the tree may not have.
 *
 * @throws LamplightError `STORE__NOT_COVERED` where the store has no such account
 */
export function* readTree(tree: AddressBytes, leafIndexes: readonly number[]): Steps<KnownTree> {
  const asked = new Map<number, PathBlock>();
  for (const leafIndex of leafIndexes)
    for (const block of pathBlocks(tree, leafIndex)) asked.set(placeKey(block.level, block.place), block);
  const wanted = [...asked.values()];
  const [top, states] = (yield* readAll<"treeTop" | "ledger">([
    reads.treeTop(tree),
    reads.ledger(
      "nodes",
      wanted.map(({ key }) => key),
    ),
  ])) as [AnswerTo<"treeTop">, AnswerTo<"ledger">];
  return yield* knownTree(tree, top, wanted, states);
}

/** @throws LamplightError `STORE__NOT_COVERED` where the store has no account of the tree */
export const treeOfPath = ({ leaf: { tree, nonce }, top, blocks }: LeafPath): Steps<KnownTree> =>
  knownTree(tree, top, pathBlocks(tree, nonce, top === null ? 0 : levelsBelowCanopy(top)), blocks);

function* knownTree(
  tree: AddressBytes,
  top: TreeTop | null,
  wanted: readonly PathBlock[],
  states: readonly (LedgerState | null)[],
): Steps<KnownTree> {
  if (top === null)
    throw notCovered(`the account of tree ${encodeAddress(tree)}, which proofs are compared with`);
  const blocks = new Map<number, NodeBlock>();
  let bytes = top.accountBytes;
  for (const [index, { level, place }] of wanted.entries()) {
    const state = states[index]?.state;
    if (state === undefined || level >= levelsBelowCanopy(top)) continue;
    bytes += state.length;
    blocks.set(placeKey(level, place), NodeBlock.parse(state));
  }
  yield rows(bytes);
  return { top, blocks, proved: new ProvedPaths() };
}
