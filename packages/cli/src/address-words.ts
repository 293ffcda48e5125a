import { findAddress, programAddressTexts } from "@lamplight/codecs";
import { usageError } from "@lamplight/errors";

/** Words that stand for an address wherever a command line takes one. */
const aliases: Readonly<Record<string, string>> = {
  token: programAddressTexts.token,
  "token-2022": programAddressTexts.token2022,
  "token-metadata": programAddressTexts.tokenMetadata,
  core: programAddressTexts.mplCore,
  bubblegum: programAddressTexts.bubblegum,
  inscription: programAddressTexts.inscriptions,
};

/** The aliases as a list for help texts. */
export const aliasWords = Object.keys(aliases).join(", ");

/** The address in base58 that a word means; null = none. */
export const addressOf = (word: string): string | null => {
  if (Object.hasOwn(aliases, word)) return aliases[word]!;
  return findAddress(word) === null ? null : word;
};

/**
 * Without repeats, in their order.
 *
 * @param flag - for the message
 * @throws LamplightError `CLI__USAGE`
 */
export const readAddresses = (flag: string, words: readonly string[] = []): readonly string[] => [
  ...new Set(
    words.map((word) => {
      const address = addressOf(word);
      if (address !== null) return address;
      const shown = JSON.stringify(word.slice(0, 64));
      throw usageError(`${flag} takes an address in base58, or ${aliasWords}; got ${shown}`);
    }),
  ),
];
