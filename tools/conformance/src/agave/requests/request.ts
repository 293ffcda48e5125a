/** One body that is sent to both. */
export interface ReferenceRequest {
  /** The part of the list that it belongs to. */
  readonly topic: string;
  readonly body: string;
  /** Whether the answer depends on the chain's clock: then it is asked next to the clock. */
  readonly readsClock?: boolean;
}

export const callText = (method: string, params: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

export const call = (
  topic: string,
  method: string,
  params: unknown,
  more: Partial<ReferenceRequest> = {},
): ReferenceRequest => ({ topic, body: callText(method, params), ...more });
