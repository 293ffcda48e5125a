import type { Afternoon } from "./afternoon.ts";

export interface Step {
  /** The event, as a line of the report names it. */
  readonly title: string;
  /** The reason why it makes no sense here; null = it does. */
  readonly leftOut?: (afternoon: Afternoon) => string | null;
  readonly run: (afternoon: Afternoon) => Promise<void>;
}
