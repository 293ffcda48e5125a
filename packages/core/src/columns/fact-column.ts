import { type FactCriterion } from "../domain/fact-criteria.ts";
import { factColumns } from "./asset-row.ts";
import type { Cell, Column, ColumnForms } from "./column.ts";

const U64_MAX = 2n ** 64n - 1n;

/** The column of the fact that a criterion asks for. */
export const factColumnOf = ({ kind }: FactCriterion): Column<unknown> =>
  factColumns[kind] as Column<unknown>;

/** The value that a criterion asks for, as its column has it; null = no column can have it, so no asset does. */
export const factCellOf = <Flag, Text>(
  criterion: FactCriterion,
  forms: ColumnForms<Flag, Text>,
): Cell<Flag, Text> => {
  const { value } = criterion;
  if (typeof value === "bigint" && (value < 0n || value > U64_MAX)) return null;
  return factColumnOf(criterion).encode(value, forms);
};
