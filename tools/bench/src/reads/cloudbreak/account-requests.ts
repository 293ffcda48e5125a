import { createHash } from "node:crypto";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { type AddressBytes, deriveAccountFacts } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { spread } from "../spread.ts";

/**
 * Token accounts of a delegate: of each size, the delegates that come nearest. Long lists are not asked for parsed:
 * Cloudbreak's own join of mints gives up on them.
 */
const delegateSizes = [
  [10, ["base64", "jsonParsed"]],
  [1_000, ["base64"]],
  [10_000, ["base64"]],
] as const;

/** Calls by what they measure, about accounts that are spread evenly over the store. */
export const accountRequests = async (
  storeFile: string,
  count: number,
): Promise<Readonly<Record<string, readonly object[]>>> => {
  const { holdings, delegates } = await tokenAccounts(storeFile);
  const some = spread(holdings, count).map((address) => encodeAddress(address));
  const missing = some.map((_, index) => encodeAddress(addressOfNobody(index)));
  return {
    "getAccountInfo, base64": infos("base64", some),
    "getAccountInfo, jsonParsed": infos("jsonParsed", some),
    "getAccountInfo, missing": infos("base64", missing),
    ...Object.fromEntries(
      delegateSizes.flatMap(([size, encodings]) => {
        const [found, addresses] = nearest(delegates, size, count);
        return encodings.map((encoding) => [
          `delegate of ${found.toLocaleString("en")}, ${encoding}`,
          addresses.map((address) => ({
            method: "getTokenAccountsByDelegate",
            params: [address, { programId: encodeAddress(programAddresses.token) }, { encoding }],
          })),
        ]);
      }),
    ),
  };
};

const infos = (encoding: string, addresses: readonly string[]): readonly object[] =>
  addresses.map((address) => ({ method: "getAccountInfo", params: [address, { encoding }] }));

interface TokenAccounts {
  readonly holdings: readonly AddressBytes[];
  /** Number of Token program accounts of each delegate, by its address. */
  readonly delegates: ReadonlyMap<string, number>;
}

const tokenAccounts = async (storeFile: string): Promise<TokenAccounts> => {
  const store = openSqliteExport(storeFile);
  const holdings: AddressBytes[] = [];
  const delegates = new Map<string, number>();
  try {
    for await (const page of store.pages("accounts"))
      for (const { current } of page) {
        const { delegate, holding } = deriveAccountFacts(current);
        if (holding === null || Buffer.compare(current.programOwner, programAddresses.token) !== 0) continue;
        holdings.push(current.address);
        if (delegate === null) continue;
        const address = encodeAddress(delegate);
        delegates.set(address, (delegates.get(address) ?? 0) + 1);
      }
    return { holdings, delegates };
  } finally {
    await store.close();
  }
};

/** Delegates with the same number of accounts, and that number. */
const nearest = (
  delegates: ReadonlyMap<string, number>,
  size: number,
  count: number,
): readonly [number, readonly string[]] => {
  const found = [...new Set(delegates.values())].reduce(
    (best, one) => (Math.abs(one - size) < Math.abs(best - size) ? one : best),
    0,
  );
  const having = [...delegates].filter(([, accounts]) => accounts === found);
  return [found, having.slice(0, count).map(([address]) => address)];
};

const addressOfNobody = (index: number): Uint8Array =>
  createHash("sha256").update(`nobody ${index}`).digest();
