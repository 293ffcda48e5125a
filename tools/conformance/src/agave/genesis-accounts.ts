import { decodeAddress, programAddressTexts, sysvarAddressTexts } from "@lamplight/codecs";
import { type Account, parseExact } from "@lamplight/core";
import type { Endpoint } from "./endpoints.ts";
import { callText } from "./requests/request.ts";

interface Shown {
  readonly data: readonly [string, string];
  readonly executable: boolean;
  readonly lamports: number | bigint;
  readonly owner: string;
  readonly rentEpoch: number | bigint;
}

/**
 * Reads the accounts of a new chain that the requests ask for: programs, the native mint, the largest balances, the
 * clock.
 */
export const readGenesisAccounts = async (node: Endpoint): Promise<readonly Account[]> => {
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const answer = parseExact(await node.ask(callText(method, params))) as {
      readonly result: { readonly value: unknown };
    };
    return answer.result.value;
  };
  const { system, token, token2022, nativeMint } = programAddressTexts;
  const largest = (await ask("getLargestAccounts", [{ filter: "circulating" }])) as readonly {
    readonly address: string;
  }[];
  const addresses = [
    system,
    token,
    token2022,
    nativeMint,
    sysvarAddressTexts.clock,
    ...largest.map(({ address }) => address),
  ];
  const accounts: Account[] = [];
  for (const address of addresses) {
    const shown = (await ask("getAccountInfo", [address, { encoding: "base64" }])) as Shown | null;
    if (shown !== null) accounts.push(accountOf(address, shown));
  }
  return accounts;
};

const accountOf = (address: string, shown: Shown): Account => ({
  address: decodeAddress(address),
  programOwner: decodeAddress(shown.owner),
  lamports: BigInt(shown.lamports),
  executable: shown.executable,
  rentEpoch: BigInt(shown.rentEpoch),
  data: Buffer.from(shown.data[0], "base64"),
  slot: 1,
  writeVersion: 0,
});
