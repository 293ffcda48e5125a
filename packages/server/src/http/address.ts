import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { ownText } from "./own-text.ts";

/** Groups of an IPv6 address that name a network: one caller usually has all addresses of it. */
const NETWORK_GROUPS = 4;

/** The part of an address that bounds count by: the IPv4 address, or the /64 network of an IPv6 address. */
export const addressOf = (remote: string | undefined): string => {
  if (remote === undefined) return "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(remote)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(remote) ? `${networkOf(remote)}::/64` : remote;
};

/** The last entry of X-Forwarded-For, which our proxy added; null without the header. */
export const forwardedAddress = (request: IncomingMessage): string | null => {
  const header = request.headers["x-forwarded-for"];
  const last = (Array.isArray(header) ? header.join() : header)?.split(",").at(-1)?.trim();
  const address = last?.replace(/^\[(.+)\](?::\d+)?$/u, "$1").replace(/^([\d.]+):\d+$/u, "$1");
  return address !== undefined && (isIPv4(address) || isIPv6(address)) ? ownText(addressOf(address)) : null;
};

const networkOf = (address: string): string =>
  groupsOf(address)
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");

/** The eight groups of an IPv6 address. */
export const groupsOf = (address: string): readonly number[] => {
  const [before = "", after] = address.replace(/%.*$/u, "").split("::");
  const left = before === "" ? [] : before.split(":");
  const right = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
};

/** Whether only this machine can reach a server that listens there. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
