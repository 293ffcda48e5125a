import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { type Account, deriveAccountFacts } from "@lamplight/core";
import { countsForAccounts, generateChain, writeAccountFiles } from "@lamplight/devchain";
import { spread } from "../spread.ts";

const SEED = 7;
/** Length of a mint of the Token program. */
const MINT_BYTES = 82;

/**
 * Writes wallets and token accounts of a generated chain where a validator reads them.
 *
 * @returns calls by what they measure
 */
export const writeValidatorAccounts = (
  folder: string,
  accounts: number,
  wanted: number,
): Readonly<Record<string, readonly object[]>> => {
  const written = chosenAccounts(accounts);
  writeAccountFiles(folder, written);
  return accountRequests(written, wanted);
};

/** The chosen accounts in their last state. The validator has its own programs, sysvars, stakes and votes. */
const chosenAccounts = (accounts: number): readonly Account[] => {
  const counts = countsForAccounts(accounts);
  const last = new Map<string, Account>();
  for (const batch of generateChain({ seed: SEED, counts, derivedAddresses: "hash-once" }))
    for (const account of batch.accounts) last.set(encodeAddress(account.address), account);
  return [...last.values()].filter(
    (account) => account.lamports > 0n && !account.executable && (isWallet(account) || isOfToken(account)),
  );
};

const isWallet = ({ programOwner, data }: Account): boolean =>
  data.length === 0 && programOwner.every((byte) => byte === 0);

const tokenPrograms = [programAddresses.token, programAddresses.token2022].map((address) =>
  encodeAddress(address),
);
const isOfToken = ({ programOwner }: Account): boolean => tokenPrograms.includes(encodeAddress(programOwner));

const accountRequests = (
  accounts: readonly Account[],
  wanted: number,
): Readonly<Record<string, readonly object[]>> => {
  const some = (kept: (account: Account) => boolean): readonly string[] =>
    spread(accounts.filter(kept), wanted).map(({ address }) => encodeAddress(address));
  const delegates = accounts.flatMap((account) => {
    const { delegate } = deriveAccountFacts(account);
    return delegate === null ? [] : [encodeAddress(delegate)];
  });
  return {
    "getAccountInfo, base64": some(isOfToken).map((one) =>
      call("getAccountInfo", one, { encoding: "base64" }),
    ),
    "getAccountInfo, jsonParsed": some(isHolding).map((one) =>
      call("getAccountInfo", one, { encoding: "jsonParsed" }),
    ),
    getTokenSupply: some((one) => isOfToken(one) && one.data.length === MINT_BYTES).map((one) =>
      call("getTokenSupply", one),
    ),
    getTokenAccountsByDelegate: spread([...new Set(delegates)], wanted).map((one) =>
      call("getTokenAccountsByDelegate", one, { programId: tokenPrograms[0] }, { encoding: "base64" }),
    ),
    getLargestAccounts: [call("getLargestAccounts")],
  };
};

const isHolding = (account: Account): boolean => deriveAccountFacts(account).holding !== null;

const call = (method: string, ...params: readonly unknown[]): object => ({ method, params });
