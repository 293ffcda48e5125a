import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import type { Random } from "@lamplight/devchain";
import type { Fixtures } from "../fixtures/make-fixtures.ts";
import { call, type ReferenceRequest } from "./request.ts";

const programIds = [programAddressTexts.token, programAddressTexts.token2022, programAddressTexts.system];

/** Supplies of mints and of what is none, lists of delegates, largest balances. */
export const tokenRequests = (
  random: Random,
  { tokens, wallets, natives }: Fixtures,
): readonly ReferenceRequest[] => {
  const clock = { readsClock: true };
  const noMints = [...tokens.accounts.slice(-20), ...wallets.slice(0, 8), ...natives.slice(0, 8)];
  const delegates = [
    ...tokens.delegates.map((delegate) => encodeAddress(delegate)),
    encodeAddress(random.bytes(32)),
  ];
  return [
    ...[...tokens.mints, ...noMints].map(({ address }) =>
      call("supplies", "getTokenSupply", [encodeAddress(address)], clock),
    ),
    ...delegates.flatMap((delegate) =>
      programIds.flatMap((programId) =>
        configs.map((config) =>
          call("delegates", "getTokenAccountsByDelegate", [delegate, { programId }, config], clock),
        ),
      ),
    ),
    ...delegates.flatMap((delegate) =>
      [...tokens.mints.slice(0, 30), ...noMints.slice(0, 12)].map(({ address }) =>
        call(
          "delegates",
          "getTokenAccountsByDelegate",
          [delegate, { mint: encodeAddress(address) }, configs[random.below(3)]],
          clock,
        ),
      ),
    ),
    ...delegates.map((delegate) =>
      call(
        "delegates",
        "getTokenAccountsByDelegate",
        [delegate, { mint: programAddressTexts.nativeMint }, configs[0]],
        clock,
      ),
    ),
    ...[undefined, {}, { filter: "circulating" }, { filter: "nonCirculating" }].map((config) =>
      call("largest", "getLargestAccounts", config === undefined ? [] : [config]),
    ),
  ];
};

const configs = [
  { encoding: "jsonParsed" },
  { encoding: "base64" },
  { encoding: "base64", dataSlice: { offset: 64, length: 8 } },
  {},
];
