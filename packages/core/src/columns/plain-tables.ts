import { ledgerKinds, linkRoles } from "../ports/index-store.ts";
import type { StoreRows } from "../ports/store-copy.ts";
import { bytes, type Column, integer, plainText, u64, word } from "./column.ts";
import type { RowColumns } from "./row-codec.ts";

/** A table of both stores whose rows are written, copied and read back as they are. */
export interface PlainTable<Row> {
  readonly name: string;
  readonly columns: RowColumns<Row>;
}

/** Names such tables as a copy does. */
export type PlainTableName = Exclude<keyof StoreRows, "accounts" | "assets" | "documents">;

/** The tables next to those of accounts, assets and documents. */
export const plainTables: { readonly [Table in PlainTableName]: PlainTable<StoreRows[Table]> } = {
  links: {
    name: "link",
    columns: { target: bytes("target"), role: word("role", linkRoles), source: bytes("source") },
  },
  ledger: {
    name: "ledger",
    columns: {
      kind: word("kind", ledgerKinds),
      key: bytes("key"),
      tree: bytes("tree"),
      state: plainText("state"),
    },
  },
  assetsSeen: { name: "asset_seen", columns: { id: bytes("id"), slot: integer("slot", "int64") } },
  editions: {
    name: "edition",
    columns: {
      parent: bytes("parent"),
      number: u64("number"),
      address: bytes("address"),
      mint: bytes("mint"),
    },
  },
  assetsRemoved: {
    name: "asset_removed",
    columns: { changeSeq: integer("change_seq", "int64"), ordinal: integer("ord", "int64") },
  },
};

/** Their columns, for a comparison with a schema. */
export const plainTableColumns: readonly {
  readonly table: string;
  readonly columns: readonly Column<unknown>[];
}[] = Object.values(plainTables).map(({ name, columns }) => ({
  table: name,
  columns: Object.values(columns) as readonly Column<unknown>[],
}));

/** The number by which stores keep a kind of compression state. */
export const ledgerKindNumber = (kind: StoreRows["ledger"]["kind"]): number => ledgerKinds.indexOf(kind);

/** The number by which stores keep a role. */
export const roleNumber = (role: StoreRows["links"]["role"]): number => linkRoles.indexOf(role);
