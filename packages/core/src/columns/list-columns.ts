import type { Creator, Group } from "../domain/asset.ts";
import { askedItems, type ListCriterion } from "../domain/list-criteria.ts";
import { bytes, type Cell, type Column, type ColumnForms, flag, integer, text } from "./column.ts";

type ItemColumns<Item> = { readonly [Fact in keyof Item]-?: Column<Item[Fact]> };

const creatorColumns: ItemColumns<Creator> = {
  address: bytes("creator"),
  verified: flag("verified"),
  share: integer("share", "int16"),
};

const groupColumns: ItemColumns<Group> = {
  key: text("key"),
  value: text("value"),
  verified: flag("verified"),
};

/** The lists of an asset: the table of each, and the columns of its items. */
const lists = {
  creators: { table: "asset_creator", columns: creatorColumns },
  groups: { table: "asset_group", columns: groupColumns },
} as const;

/** Tables of lists, each with the columns of an item. */
export const listTables: readonly {
  readonly table: string;
  readonly columns: readonly Pick<Column<unknown>, "name" | "type" | "isNullable">[];
}[] = Object.values(lists).map(({ table, columns }) => ({ table, columns: Object.values(columns) }));

/** The rows of a list whose assets meet a criterion. */
export interface AskedRows<Flag, Text> {
  readonly table: string;
  /** Conditions on columns, joined by AND. */
  readonly conditions: readonly {
    readonly column: string;
    readonly sign: "=" | ">";
    readonly cell: Cell<Flag, Text>;
  }[];
}

export const askedRows = <Flag, Text>(
  criterion: ListCriterion,
  forms: ColumnForms<Flag, Text>,
): AskedRows<Flag, Text> => {
  const { list, tests } = askedItems(criterion);
  const { table } = lists[list];
  const columns = lists[list].columns as Readonly<Record<string, Column<unknown>>>;
  return {
    table,
    conditions: tests.map((test) => {
      const { name, encode } = columns[test.fact]!;
      return "above" in test
        ? { column: name, sign: ">", cell: encode(test.above, forms) }
        : { column: name, sign: "=", cell: encode(test.equals, forms) };
    }),
  };
};
