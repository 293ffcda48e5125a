import type { Overruling } from "./outcome.ts";

/**
 * Cases that a decision of this project overrules: they are counted as skipped and listed with their reason, never
 * silently. Decisions are numbered as in ARCHITECTURE.md.
 */
export const overruled: readonly Overruling[] = [];
