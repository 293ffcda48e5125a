import { hash } from "node:crypto";
import {
  type AssetFacts,
  type AssetInterface,
  assetInterfaces,
  ownerModels,
  type OwnerModel,
  royaltyModels,
} from "../domain/asset.ts";
import {
  bytes,
  type Cell,
  type Column,
  type ColumnForms,
  flag,
  hash64,
  integer,
  orNull,
  text,
  u64,
  word,
} from "./column.ts";

export const interfaceNumber = (name: AssetInterface): number => assetInterfaces.indexOf(name);
export const ownerModelNumber = (name: OwnerModel): number => ownerModels.indexOf(name);

/** Names are searched without regard to case; both sides of a comparison go through this. */
export const foldName = (name: string): string => name.toLowerCase();

/** Kept only where it differs from the name. */
const foldedColumn = (name: string): string | null => {
  const folded = foldName(name);
  return folded === name ? null : folded;
};

/** The number by which stores find a URI; they compare the text, too. */
export const jsonUriHash = (jsonUri: string): bigint => hash("sha256", jsonUri, "buffer").readBigInt64BE(0);

type StoredFact = Exclude<keyof AssetFacts, "id" | "creators" | "groups" | "inherits">;

type AssetColumns = { readonly [Fact in StoredFact]: Column<AssetFacts[Fact]> } & {
  readonly foldedName: Column<string | null>;
  readonly jsonUriHash: Column<bigint>;
  readonly inheritsFrom: Column<Uint8Array | null>;
  readonly inherits: Column<number>;
};

/** The columns of `asset` after its keys, in their order: of each fact, and what follows from facts. */
export const factColumns: AssetColumns = {
  interface: word("interface", assetInterfaces),
  ownerModel: word("owner_model", ownerModels),
  assetOwner: orNull(bytes("owner")),
  delegate: orNull(bytes("delegate")),
  authority: orNull(bytes("authority")),
  supply: orNull(u64("supply")),
  supplyMint: orNull(bytes("supply_mint")),
  royaltyModel: word("royalty_model", royaltyModels),
  basisPoints: integer("basis_points", "int32"),
  compressed: flag("compressed"),
  compressible: flag("compressible"),
  frozen: flag("frozen"),
  burnt: flag("burnt"),
  mutable: flag("mutable"),
  name: text("name"),
  foldedName: orNull(text("folded_name")),
  jsonUri: text("json_uri"),
  jsonUriHash: hash64("json_uri_hash"),
  tree: orNull(bytes("tree")),
  leafIndex: orNull(integer("leaf_index", "int64")),
  createdSlot: integer("created_slot", "int64"),
  updatedSlot: integer("updated_slot", "int64"),
  inheritsFrom: orNull(bytes("inherits_from")),
  inherits: integer("inherits", "int16"),
};

type ColumnKey = keyof AssetColumns;
type ValueOf<Key extends ColumnKey> = ReturnType<AssetColumns[Key]["decode"]>;

const keys = Object.keys(factColumns) as readonly ColumnKey[];
const places = Object.fromEntries(keys.map((key, place) => [key, place])) as Record<ColumnKey, number>;

/** Columns of `asset` after its keys. */
export const assetRowColumns: readonly Pick<Column<unknown>, "name" | "type" | "isNullable">[] =
  Object.values(factColumns);

/** The columns of an asset, in the order of `assetRowColumns`. */
export const encodeAssetRow = <Flag, Text>(
  asset: AssetFacts,
  forms: ColumnForms<Flag, Text>,
): Cell<Flag, Text>[] => {
  const values: { readonly [Key in ColumnKey]: ValueOf<Key> } = {
    ...asset,
    foldedName: foldedColumn(asset.name),
    jsonUriHash: jsonUriHash(asset.jsonUri),
    inheritsFrom: asset.inherits?.from ?? null,
    inherits: asset.inherits?.facts ?? 0,
  };
  return keys.map((key) => (factColumns[key] as Column<unknown>).encode(values[key], forms));
};

/** The facts of one asset, from a row that has `assetRowColumns` from column `at` on. */
export const decodeAssetRow = <Flag, Text>(
  id: Uint8Array,
  row: readonly unknown[],
  at: number,
  forms: ColumnForms<Flag, Text>,
  lists: Pick<AssetFacts, "creators" | "groups">,
): AssetFacts => {
  const value = <Key extends ColumnKey>(key: Key): ValueOf<Key> =>
    factColumns[key].decode(row[at + places[key]], forms) as ValueOf<Key>;
  const from = value("inheritsFrom");
  return {
    id,
    interface: value("interface"),
    ownerModel: value("ownerModel"),
    assetOwner: value("assetOwner"),
    delegate: value("delegate"),
    authority: value("authority"),
    supply: value("supply"),
    supplyMint: value("supplyMint"),
    royaltyModel: value("royaltyModel"),
    basisPoints: value("basisPoints"),
    creators: lists.creators,
    groups: lists.groups,
    inherits: from === null ? null : { from, facts: value("inherits") },
    compressed: value("compressed"),
    compressible: value("compressible"),
    frozen: value("frozen"),
    burnt: value("burnt"),
    mutable: value("mutable"),
    name: value("name"),
    jsonUri: value("jsonUri"),
    tree: value("tree"),
    leafIndex: value("leafIndex"),
    createdSlot: value("createdSlot"),
    updatedSlot: value("updatedSlot"),
  };
};

/** Columns by which stores search, and that follow from one fact. */
const derivedColumns = [
  { of: "foldedName", from: "name", derive: foldedColumn, problem: "name is searched under another one" },
  { of: "jsonUriHash", from: "jsonUri", derive: jsonUriHash, problem: "URI is found by another one" },
] as const;

/** Columns of `asset` that `assetRowProblems` compares, in its order. */
export const checkedColumns: readonly string[] = derivedColumns.flatMap(({ of, from }) => [
  factColumns[from].name,
  factColumns[of].name,
]);

/** The problems of columns that follow from facts, in a row that has `checkedColumns` from column `at` on. */
export const assetRowProblems = <Flag, Text>(
  row: readonly unknown[],
  at: number,
  forms: ColumnForms<Flag, Text>,
): readonly string[] =>
  derivedColumns.flatMap(({ of, from, derive, problem }, place) => {
    const fact = factColumns[from].decode(row[at + 2 * place], forms);
    return factColumns[of].decode(row[at + 2 * place + 1], forms) === derive(fact) ? [] : [problem];
  });
