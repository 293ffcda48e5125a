import type { Edition } from "../domain/edition.ts";
import { u64FromColumn } from "./u64-column.ts";

export const editionRowColumns = "address, parent, mint, number";

export const decodeEditionRow = ([address, parent, mint, number]: readonly unknown[]): Edition => ({
  address: address as Uint8Array,
  parent: parent as Uint8Array,
  mint: mint as Uint8Array,
  number: u64FromColumn(number as bigint),
});
