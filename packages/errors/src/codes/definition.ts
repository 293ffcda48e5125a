// The form of an entry of the registry, and the shapes that several of them share.

/** The one who has to act. `caller`: correct the call. `world`: wait or retry. `us`: a bug in Lamplight. */
export type ErrorFamily = "caller" | "world" | "us";

/** The error that a caller receives. `data` selects the context members that may be published. */
export interface PublicError<Context> {
  /** JSON-RPC error code. */
  readonly code: number;
  /** One sentence that names the parameter, or says what to do. */
  readonly message: (context: Context) => string;
  /** Member `data` of the JSON-RPC error. Not set, or undefined: the error has none. */
  readonly data?: (context: Context) => unknown;
  /** Set for errors that are found before the call runs. Errors of a call are sent with HTTP 200. */
  readonly httpStatus?: number;
  /**
   * Code for the four account methods, because their clients fail on unknown codes.
   * `data.reason` then holds the name of the error.
   */
  readonly accountMethodCode?: -32600 | -32602 | -32603;
}

/** An entry of the registry. `Context` holds the values that its messages quote. */
export interface ErrorDefinition<Context> {
  /** The one who has to act. */
  readonly family: ErrorFamily;
  /** Whether the same call can succeed later. */
  readonly retryable: boolean;
  /** For logs and the command line: one clear sentence. */
  readonly message: (context: Context) => string;
  /** Not set: a caller receives `INTERNAL` with an id in place of this error. */
  readonly rpc?: PublicError<Context>;
}

/** Infers the context of an entry. */
export const define = <Context>(definition: ErrorDefinition<Context>): ErrorDefinition<Context> => definition;

/** Replaces line breaks and control characters: a message may quote a foreign file. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ");

/** An error whose log message is also sent to the caller. */
export const caller = <Context>(
  code: number,
  message: (context: Context) => string,
  more: Omit<PublicError<Context>, "code" | "message"> = {},
): ErrorDefinition<Context> => ({
  family: "caller",
  retryable: false,
  message,
  rpc: { code, message, ...more },
});

/** The caller can do this about a refusal: advice, or the name that was probably meant. */
export interface Remedy {
  readonly hint?: string | undefined;
  readonly nearest?: string | undefined;
}

/** Undefined where no remedy is known. */
export const hintOf = ({ hint, nearest }: Remedy): string | undefined =>
  hint ?? (nearest === undefined ? undefined : `did you mean ${nearest}?`);

/** A message that ends with its hint: Kit, umi and helius-sdk show the message, and drop `data`. */
export const withHint = (message: string, remedy: Remedy): string => {
  const hint = hintOf(remedy);
  return hint === undefined ? message : `${message}; ${hint}`;
};

/** The members of `data` that repeat the remedy. */
export const hintData = (remedy: Remedy): Remedy => {
  const hint = hintOf(remedy);
  const { nearest } = remedy;
  return {
    ...(nearest === undefined ? {} : { nearest }),
    ...(hint === undefined ? {} : { hint }),
  };
};

/** The server has no capacity left. Inside a batch it is the error of single calls, sent with HTTP 200. */
export const busy: PublicError<object> = {
  code: -32069,
  message: () => "Busy, try again",
  data: () => ({ reason: "busy" }),
  httpStatus: 503,
  accountMethodCode: -32603,
};

/** Agave's words, which clients match on; see `Invalid param: …` in the contract. */
export type AddressFault = "Invalid" | "WrongSize";
