import { levelsBelowCanopy } from "@lamplight/codecs";
import {
  type AddressBytes,
  BLOCK_LEVELS,
  blockLevels,
  ledgerKindNumber,
  type LeafPath,
  parseLeafState,
  pathBlocks,
  type ReadOf,
  TREE_DEPTH_MAX,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import {
  type FoundWithHead,
  type KnownBefore,
  VIEW_HEAD_WIDTH,
  viewHeadColumns,
  viewHeadOf,
} from "./read-head.ts";
import { accountVersion, type TreeTops } from "./tree-tops.ts";

/** The blocks of the path of a leaf, as core's `pathBlocks` names them. */
const pathBlockOf = (level: number): string => `(SELECT state FROM ledger
WHERE kind = ${ledgerKindNumber("nodes")} AND key = substring(leaf.tree FOR 27) || '\\x${hexOf(level + 1)}'::bytea
|| int4send((path.nonce >> ${level + BLOCK_LEVELS})::integer))`;
const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0");
const pathLevels = blockLevels(TREE_DEPTH_MAX);

/**
 * A leaf with the head, the version of its tree's account, and the blocks that its path goes through. `OFFSET 0` keeps
 * the planner from parsing the state of the leaf again for each block.
 */
export const leafPathStatements = {
  leafPath: statement(`SELECT ${viewHeadColumns}, leaf.tree, leaf.state, account.program, ${accountVersion},
${pathLevels.map(pathBlockOf).join(",\n")}
FROM head LEFT JOIN ledger leaf ON leaf.kind = ${ledgerKindNumber("leaf")} AND leaf.key = $1
LEFT JOIN account ON account.address = leaf.tree
LEFT JOIN LATERAL (SELECT (leaf.state::json ->> 'nonce')::bigint AS nonce OFFSET 0) path ON true
WHERE head.id = 1`),
} as const;

/** Null in a store that is not filled, and where the account of the tree has changed before it was read. */
export const findLeafPathWithHead = async (
  db: Statements,
  { programs, treeTops }: KnownBefore,
  { id }: ReadOf<"leafPath">,
): Promise<FoundWithHead<LeafPath | null> | null> => {
  const row = await db.get(leafPathStatements.leafPath, id);
  if (row === undefined) return null;
  const value = await leafPathIn(db, programs, treeTops, row);
  if (value === undefined) return null;
  return {
    head: viewHeadOf(row),
    answerAt: ({ programs: ofHead }) => (ofHead === programs ? { value } : null),
  };
};

/** Undefined where another statement is needed. */
const leafPathIn = async (
  db: Statements,
  programs: ProgramDictionary,
  treeTops: TreeTops,
  row: Row,
): Promise<LeafPath | null | undefined> => {
  const [tree, state, program, version, ...states] = row.slice(VIEW_HEAD_WIDTH) as LeafColumns;
  if (tree === null) return null;
  const leaf = parseLeafState(tree, state);
  const top = program === null ? null : await treeTops.at(db, programs, tree, version);
  if (top === undefined) return undefined;
  if (top === null) return { leaf, top, blocks: [] };
  const blocks = pathBlocks(tree, leaf.nonce, levelsBelowCanopy(top)).map(({ key }, index) => {
    const block = states[index] ?? null;
    return block === null ? null : ({ kind: "nodes", key, tree, state: block } as const);
  });
  return { leaf, top, blocks };
};

type LeafColumns = [
  tree: AddressBytes | null,
  state: string,
  program: number | null,
  version: string,
  ...blocks: (string | null)[],
];
