import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./address-guard.ts";
import { FetchFault } from "./fetch-outcome.ts";
import type { OffchainLimits } from "./offchain-limits.ts";

/** Addresses of a host name. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** The system's resolver. */
export const resolveBySystem: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

export interface AddressPolicy {
  readonly resolve: ResolveHost;
  /** Addresses that may be asked although they are not public: gateways of one's own. */
  readonly allowedAddresses: ReadonlySet<string>;
}

/**
 * The addresses a URL's host stands for, every one of them checked. The connection is made to these and to no others,
 * so that a name cannot point elsewhere between check and use.
 *
 * @throws FetchFault `refused` when any is not public, `failed` when there is none
 */
export const resolveChecked = async (
  url: URL,
  policy: AddressPolicy,
  limits: OffchainLimits,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await untilAborted(resolveName(host, policy), signal) : [host];
  if (addresses.length === 0) throw new FetchFault("failed", "the host has no address");
  for (const address of addresses) {
    if (isPublicAddress(address) || policy.allowedAddresses.has(address)) continue;
    throw new FetchFault("refused", "the host is not on the public internet");
  }
  return addresses.slice(0, limits.addressesMax);
};

const resolveName = async (host: string, { resolve }: AddressPolicy): Promise<readonly string[]> => {
  try {
    return await resolve(host);
  } catch {
    throw new FetchFault("failed", "the host name does not resolve");
  }
};

/** A system resolver cannot be stopped, but it can be left behind. */
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
