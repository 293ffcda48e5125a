import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { FetchFault } from "./fetch-outcome.ts";
import type { OffchainLimits } from "./offchain-limits.ts";

/**
 * Addresses of a host name.
 *
 * @param isGateway - whether the name is one that the operator configured
 */
export type ResolveHost = (host: string, isGateway: boolean) => Promise<readonly string[]>;

/** Timeout of one query to a name server, which is sent twice. */
const NAME_SERVER_MS = 4000;

/**
 * Resolves names of strangers by asking the name servers. The system's resolver would block one of a few threads
 * while a name server does not answer, so four such names would block the process. The operator's names are left to
 * the system, which also knows the hosts file.
 *
 * @param servers - name servers; by default those of the system
 */
export const createResolver =
  (servers?: readonly string[]): ResolveHost =>
  async (host, isGateway) => {
    if (isGateway) {
      const found = await lookup(host, { all: true, verbatim: true });
      return found.map(({ address }) => address);
    }
    // Created for each lookup, because it reads the system's name servers at its creation.
    const resolver = new Resolver({ timeout: NAME_SERVER_MS, tries: 2 });
    if (servers !== undefined) resolver.setServers([...servers]);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };

export interface AddressPolicy {
  readonly resolve: ResolveHost;
  /** Non-public addresses of the operator's own gateways. Only gateway candidates may use them. */
  readonly allowedAddresses: ReadonlySet<string>;
  /** Whether any URI may lead to an address. */
  readonly isPublic: (address: string) => boolean;
}

/**
 * Resolves a URL's host and checks every address. The connection uses these addresses only, so a name cannot change
 * between check and use.
 *
 * @param isGateway - whether the URL is below the scope of a gateway candidate
 * @throws FetchFault `refused` when any is not public, `failed` when there is none
 */
export const resolveChecked = async (
  url: URL,
  isGateway: boolean,
  policy: AddressPolicy,
  limits: OffchainLimits,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  const addresses =
    isIP(host) === 0 ? await untilAborted(resolveName(host, isGateway, policy), signal) : [host];
  if (addresses.length === 0) throw new FetchFault("failed", "the host has no address");
  for (const address of addresses) {
    if (policy.isPublic(address) || (isGateway && policy.allowedAddresses.has(address))) continue;
    throw new FetchFault("refused", "the host is not on the public internet");
  }
  return addresses.slice(0, limits.addressesMax);
};

const resolveName = async (
  host: string,
  isGateway: boolean,
  { resolve }: AddressPolicy,
): Promise<readonly string[]> => {
  try {
    return await resolve(host, isGateway);
  } catch {
    throw new FetchFault("failed", "the host name does not resolve");
  }
};

/** A lookup cannot be cancelled, so its result is ignored. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};
