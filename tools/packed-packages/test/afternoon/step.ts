import type { Afternoon } from "./afternoon.ts";

export interface Step {
  /** What happens, as a sentence of the report. */
  readonly title: string;
  /** The reason why it makes no sense here; null = it does. */
  readonly leftOut?: (afternoon: Afternoon) => string | null;
  readonly run: (afternoon: Afternoon) => Promise<void>;
}
