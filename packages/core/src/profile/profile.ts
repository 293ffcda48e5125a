import type { AccountInfo, Context, GetAccountInfoResult } from "@lamplight/contract";
import type { JsonText } from "../json/json-text.ts";
import { LamplightError } from "@lamplight/errors";
import { objectWriter } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";

/** The two styles of answers; they differ only in what this file has. */
export type Profile = "spec" | "agave";

// The points in which the profiles differ, and nothing else: Solana client libraries break on the spec's forms.

/** `value: null` inside a context for Solana clients; a bare null by the spec. */
export const shapeMissingAccount = (
  profile: Profile,
  context: JsonText<Context>,
): JsonText<GetAccountInfoResult> =>
  profile === "agave" ? writeAccountInfo(context, null) : writeJson<null>(null);

export const writeAccountInfo = objectWriter<AccountInfo>()("context", "value");

/** The encoding when a call names none: the bare base58 string of old for Solana clients, base64 by the spec. */
export const defaultEncoding = (profile: Profile): "binary" | "base64" =>
  profile === "agave" ? "binary" : "base64";

/** Whether an unknown member in the config of an account method is refused. Agave ignores it. */
export const refusesUnknownMembers = (profile: Profile): boolean => profile === "spec";

/**
 * The meaning of `params: null`. Agave reads it as none, and so do Solana clients.
 *
 * @throws LamplightError `PARAM__INVALID`: by the spec, params are a list or an object, or are left out
 */
export const readNullParams = (profile: Profile): undefined => {
  if (profile === "agave") return undefined;
  throw new LamplightError("PARAM__INVALID", {
    parameter: "params",
    position: null,
    reason: "must be an array or an object but got null",
    hint: "leave params out where there are none",
  });
};
