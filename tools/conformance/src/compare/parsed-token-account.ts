import { decodeTokenAccount, encodeAddress } from "@lamplight/codecs";
import { isMembers, membersOf } from "../read-json.ts";

/**
 * An answer of getAccountInfo with the token account in it parsed by us, as far as that goes without its mint: like
 * Agave the service answers the bytes then, and a case that lacks the mint is compared with those.
 */
export const withParsedTokenAccount = (result: unknown): unknown => {
  const value = membersOf(result)["value"];
  if (!isMembers(value) || !Array.isArray(value["data"])) return result;
  const account = decodeTokenAccount(Buffer.from(String(value["data"][0]), "base64"));
  if (account === null) return result;
  const info = {
    mint: encodeAddress(account.mint),
    owner: encodeAddress(account.tokenOwner),
    state: account.state,
    tokenAmount: { amount: String(account.amount) },
  };
  return { ...membersOf(result), value: { ...value, data: { parsed: { info, type: "account" } } } };
};
