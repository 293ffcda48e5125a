/** The refusal of a call, in JSON-RPC's words. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  /** Undefined where the error has none. */
  readonly data: unknown;
}

/** Numbers are as `parseExact` of core gives them. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: Refusal };

export interface Answer {
  readonly outcome: Outcome;
  /** Slot at which the answer was read; null = not reported. */
  readonly slot: bigint | null;
  /** Notes for a person: partial coverage, incomplete trees. */
  readonly notes: readonly string[];
}

/** The target of calls: a server, or the methods over a store in this process. */
export interface Endpoint {
  /** Name for messages, without the key. */
  readonly name: string;
  /** @throws LamplightError when there is no answer at all */
  call(method: string, params: unknown): Promise<Answer>;
  close(): Promise<void>;
}
