import { type TreeTop, treeTopOf } from "@lamplight/codecs";
import { accountRowColumns, type AddressBytes, decodeAccountRow, memoryBound } from "@lamplight/core";
import { mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

/** Names one version of an account's row: every write makes another one. */
export const accountVersion = "concat_ws(' ', account.xmin, account.slot, account.write_version)";

const versionAt = statement(`SELECT ${accountVersion} FROM account WHERE address = $1`);
const wholeAt = statement(`SELECT ${accountVersion}, ${accountRowColumns} FROM account WHERE address = $1`);

/** The version of an account; null where there is none. */
const readVersion = async (db: Statements, address: AddressBytes): Promise<string | null> =>
  ((await db.get(versionAt, address))?.[0] as string | undefined) ?? null;

/** A tree's account as it is now. */
interface VersionedTop {
  readonly version: string;
  /** Null where it is no account of a tree. */
  readonly top: TreeTop | null;
}

/** Null where there is no such account. */
const readTreeTop = async (
  db: Statements,
  programs: ProgramDictionary,
  tree: AddressBytes,
): Promise<VersionedTop | null> => {
  const row = await db.get(wholeAt, tree);
  if (row === undefined) return null;
  await programs.learn(db, [row[1] as number]);
  return { version: row[0] as string, top: treeTopOf(decodeAccountRow(tree, row, 1, programs.addressOf)) };
};

/** Bytes of the tops that one reader of a store caches: 32 MiB, less on small machines. */
const TREE_TOPS_BYTES_MAX = 32 << 20;
/** Of a top without its canopy: numbers, the root, the key and the entry. */
const TOP_BYTES = 512;

/**
 * What accounts of trees say of their leaves, by the version of the account: it is some hundred bytes and the canopy of
 * an account with kilobytes to megabytes. A change of a tree makes another version. The least recently used are dropped.
 */
export class TreeTops {
  readonly #bytesMax: number;
  readonly #tops = new Map<string, VersionedTop>();
  #bytes = 0;

  constructor(bytesMax: number = memoryBound(1 / 128, TREE_TOPS_BYTES_MAX)) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Undefined where the account has another version by now, in a session without a transaction.
   *
   * @param version - of the account in the state that is read
   */
  async at(
    db: Statements,
    programs: ProgramDictionary,
    tree: AddressBytes,
    version: string,
  ): Promise<TreeTop | null | undefined> {
    const key = mapKeyOf(tree);
    const known = this.#tops.get(key);
    if (known?.version === version) {
      this.#tops.delete(key);
      this.#tops.set(key, known);
      return known.top;
    }
    const found = await readTreeTop(db, programs, tree);
    if (found?.version !== version) return undefined;
    this.#keep(key, { version, top: found.top === null ? null : alone(found.top) });
    return found.top;
  }

  /** The top at the state that is read. */
  async read(db: Statements, programs: ProgramDictionary, tree: AddressBytes): Promise<TreeTop | null> {
    const version = await readVersion(db, tree);
    if (version === null) return null;
    const top = await this.at(db, programs, tree, version);
    // Another version came in between: the view finds that its state has changed.
    return top ?? null;
  }

  #keep(key: string, top: VersionedTop): void {
    this.#drop(key);
    if (bytesOf(top) > this.#bytesMax) return;
    this.#tops.set(key, top);
    this.#bytes += bytesOf(top);
    for (const oldest of this.#tops.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const known = this.#tops.get(key);
    if (known === undefined) return;
    this.#tops.delete(key);
    this.#bytes -= bytesOf(known);
  }
}

const bytesOf = ({ top }: VersionedTop): number => TOP_BYTES + (top?.canopy.length ?? 0);

/** Copies, since the bytes lie within the whole data of the account. */
const alone = (top: TreeTop): TreeTop => ({
  ...top,
  merkleRoot: top.merkleRoot.slice(),
  canopy: top.canopy.slice(),
});
