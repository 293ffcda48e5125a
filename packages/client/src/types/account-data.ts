import type { Encoding } from "../generated/values.ts";
import type { ParsedRecord } from "./parsed-record.ts";
import type { IntegerMode, Uint64 } from "./values.ts";

/** Account data in the encoding that was asked for. Accounts that no parser knows are base64 under `jsonParsed`. */
export type AccountData<
  E extends Encoding = Encoding,
  I extends IntegerMode = "amounts",
> = E extends "jsonParsed"
  ? ParsedAccountData<I> | EncodedData<"base64">
  : E extends "binary"
    ? string
    : EncodedData<E>;

/** Encoded data, and the name of the encoding. */
export type EncodedData<E extends Encoding = Encoding> = [data: string, encoding: E];

/**
 * An account that a parser knows. `program` and `parsed.type` show what `parsed.info` holds:
 *
 * ```ts
 * if (data.program === "spl-token" && data.parsed.type === "account") data.parsed.info.tokenAmount.amount;
 * ```
 */
export type ParsedAccountData<I extends IntegerMode = "amounts"> = {
  [Program in keyof ParsedRecord]: {
    program: Program;
    parsed: ParsedRecord[Program];
    /** Size of the data in bytes. */
    space: Uint64<I>;
  };
}[keyof ParsedRecord];
