import { type AddressFault, caller, hintData, hintOf, type Remedy, withHint } from "./definition.ts";

/** Calls: parameters, what they name, and what they cost. */
export const callCodes = {
  /** `position` is 1-based, and null in calls by name. `hint` names the nearest valid alternative. */
  PARAM__INVALID: caller<{ parameter: string; position: number | null; reason: string; hint?: string }>(
    -32602,
    ({ parameter, position, reason, hint }) =>
      withHint(`Invalid params: ${position === null ? "" : `position ${position} `}${parameter} ${reason}`, {
        hint,
      }),
    {
      data: ({ parameter, position, hint }) => ({
        parameter,
        ...(position === null ? {} : { position }),
        ...hintData({ hint }),
      }),
    },
  ),
  PARAM__COUNT: caller<{ method: string; fewest: number; most: number; got: number }>(
    -32602,
    ({ method, fewest, most, got }) =>
      `Invalid params: ${method} takes ${fewest === most ? fewest : `${fewest} to ${most}`} positions, got ${got}`,
    { data: ({ fewest, most, got }) => ({ fewest, most, got }) },
  ),
  PARAM__UNKNOWN_NAME: caller<{ name: string } & Remedy>(
    -32602,
    ({ name, ...remedy }) =>
      withHint(`Invalid params: unknown name ${JSON.stringify(name.slice(0, 64))}`, remedy),
    { data: (context) => (hintOf(context) === undefined ? undefined : hintData(context)) },
  ),
  /** The address parameter of one of the four account methods; Agave's text. */
  PARAM__ADDRESS: caller<{ parameter: string; fault: AddressFault }>(
    -32602,
    ({ fault }) => `Invalid param: ${fault}`,
    { data: ({ parameter }) => ({ parameter }) },
  ),
  PARAM__NOT_SUPPORTED_YET: caller<{ parameter: string }>(
    -32602,
    ({ parameter }) => `Invalid params: this version does not support ${parameter}`,
    { data: ({ parameter }) => ({ parameter }) },
  ),
  TOKEN__ACCOUNT_NOT_FOUND: caller<object>(-32602, () => "Invalid param: could not find account"),
  TOKEN__NOT_A_MINT: caller<object>(-32602, () => "Invalid param: not a Token mint"),
  TOKEN__MINT_BROKEN: caller<object>(-32602, () => "Invalid param: mint could not be unpacked"),
  TOKEN__FILTER_MINT_NOT_FOUND: caller<object>(-32602, () => "Invalid param: could not find mint"),
  TOKEN__FILTER_MINT_BROKEN: caller<object>(-32602, () => "Invalid param: Token mint could not be unpacked"),
  TOKEN__UNKNOWN_PROGRAM: caller<object>(-32602, () => "Invalid param: unrecognized Token program id"),
  ACCOUNT__BASE58_TOO_LARGE: caller<object>(
    -32600,
    () => "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
  ),
  ACCOUNT__SLOT_NOT_REACHED: caller<{ contextSlot: number }>(
    -32016,
    () => "Minimum context slot has not been reached",
    { data: ({ contextSlot }) => ({ contextSlot }) },
  ),
  ASSET__NOT_FOUND: caller<{ id: string }>(-32000, () => "Asset Not Found", { data: ({ id }) => ({ id }) }),
  ASSET__NO_MASTER_EDITION: caller<{ id: string }>(-32000, () => "Master Edition not found", {
    data: ({ id }) => ({ id }),
  }),
  QUERY__OVER_BUDGET: caller<{ reason: string; cheaper: string }>(
    -32066,
    ({ reason, cheaper }) => `Query over its budget: ${reason}; cheaper: ${cheaper}`,
    {
      data: ({ cheaper }) => ({ hint: cheaper, reason: "QUERY__OVER_BUDGET" }),
      accountMethodCode: -32602,
    },
  ),
};
