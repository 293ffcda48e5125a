import { decodeTokenAccount, encodeAddress, isTokenProgram, programAddressTexts } from "@lamplight/codecs";
import type { ParsedAccountData } from "@lamplight/contract";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { JsonOf } from "../json/json-text.ts";
import { parseLookupTable } from "./address-lookup-table.ts";
import { parseConfig } from "./config.ts";
import { parseNonce } from "./nonce.ts";
import type { ParsedJson } from "./parsed-json.ts";
import { type AmountContext, parseSplToken } from "./spl-token.ts";
import { parseStake } from "./stake.ts";
import { parseSysvar } from "./sysvar.ts";
import { parseUpgradeableLoader } from "./upgradeable-loader.ts";
import { parseVote } from "./vote.ts";

export type { AmountContext } from "./spl-token.ts";

/** The mint whose view `parseAccount` needs: null unless the account decodes as a token account of a token program. */
export const mintNeededBy = (account: Account): AddressBytes | null =>
  isTokenProgram(account.programOwner) ? (decodeTokenAccount(account.data)?.mint ?? null) : null;

/**
 * The `data` member under jsonParsed, `{parsed, program, space}` in wire order.
 *
 * Null when the owner is no program we parse, the data is not what that program writes, or a token account's mint is
 * not known: the caller then falls back to bytes or leaves the entry out. Never throws, regardless of the data.
 */
export const parseAccount = (account: Account, context: AmountContext): JsonOf<ParsedAccountData> | null => {
  const parser = parsers.get(encodeAddress(account.programOwner));
  const parsed = parser?.parse(account, context) ?? null;
  if (parser === undefined || parsed === null) return null;
  return { parsed, program: parser.program, space: account.data.length };
};

interface Parser {
  readonly program: string;
  readonly parse: (account: Account, context: AmountContext) => ParsedJson;
}

/** The parsers by owner. Names are the wire's. */
const parsers: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  [programAddressTexts.system, { program: "nonce", parse: ({ data }) => parseNonce(data) }],
  [
    programAddressTexts.token,
    { program: "spl-token", parse: ({ data }, context) => parseSplToken(data, context) },
  ],
  [
    programAddressTexts.token2022,
    { program: "spl-token-2022", parse: ({ data }, context) => parseSplToken(data, context) },
  ],
  [programAddressTexts.stake, { program: "stake", parse: ({ data }) => parseStake(data) }],
  [programAddressTexts.vote, { program: "vote", parse: ({ data, address }) => parseVote(data, address) }],
  [
    programAddressTexts.addressLookupTable,
    { program: "address-lookup-table", parse: ({ data }) => parseLookupTable(data) },
  ],
  [
    programAddressTexts.upgradeableLoader,
    { program: "bpf-upgradeable-loader", parse: ({ data }) => parseUpgradeableLoader(data) },
  ],
  [programAddressTexts.config, { program: "config", parse: ({ data }) => parseConfig(data) }],
  [
    programAddressTexts.sysvar,
    { program: "sysvar", parse: ({ data, address }) => parseSysvar(data, address) },
  ],
]);
