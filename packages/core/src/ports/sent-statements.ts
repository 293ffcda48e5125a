import { channel } from "node:diagnostics_channel";

/** A reader of a database server publishes each statement here when it sends it: the text, without values. */
export const sentStatements = channel("lamplight.statements");
