/** Removes nodes of trees (2) as earlier versions kept them, row by row, and with them the state of keeping them. */
export const schema10 = "DELETE FROM ledger WHERE kind = 2;";
