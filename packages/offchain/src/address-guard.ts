// Addresses that a stranger's URI may make us connect to: public ones only.

import { BlockList, isIP, isIPv6 } from "node:net";

const ipv4Blocks: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local; clouds keep instance credentials at 169.254.169.254.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Nothing outside 2000::/3 is public; inside it, these ranges are not. */
const ipv6Blocks: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [network, bits] of ipv4Blocks) refused.addSubnet(network, bits, "ipv4");
for (const [network, bits] of ipv6Blocks) refused.addSubnet(network, bits, "ipv6");

const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an IP address belongs to the public internet. IPv4 inside IPv6 (mapped, NAT64, 6to4) is decided by the IPv4
 * address. False for text that is not an address.
 */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !refused.check(address, "ipv4");
  if (family !== 6) return false;
  const embedded = embeddedIpv4(address);
  if (embedded !== null) return !refused.check(embedded, "ipv4");
  return globalUnicast.check(address, "ipv6") && !refused.check(address, "ipv6");
};

/** The IPv4 address inside a mapped, NAT64 or 6to4 address; null for all others. */
const embeddedIpv4 = (address: string): string | null => {
  const groups = ipv6Groups(address);
  const begins = (...prefix: readonly number[]): boolean =>
    prefix.every((group, index) => groups[index] === group);
  if (begins(0, 0, 0, 0, 0, 0xff_ff) || begins(0x64, 0xff_9b, 0, 0, 0, 0))
    return dotted(groups[6], groups[7]);
  return begins(0x20_02) ? dotted(groups[1], groups[2]) : null;
};

const dotted = (high = 0, low = 0): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** The eight 16-bit groups. The WHATWG parser expands every notation. */
const ipv6Groups = (address: string): readonly number[] => {
  const zoneless = address.split("%", 1)[0] ?? "";
  if (!isIPv6(zoneless)) return [];
  const canonical = new URL(`http://[${zoneless}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const before = parseGroups(head);
  const after = tail === undefined ? [] : parseGroups(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
};

const parseGroups = (text: string): readonly number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
