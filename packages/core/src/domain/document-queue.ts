// This file chooses the queue in which the document of a URI waits, so that one slow host delays no other.

/** The URI that is requested: cut at the first NUL, trimmed, without control characters. "" = nothing to request. */
export const sanitizeUri = (onChain: string): string => {
  const [text = ""] = onChain.split("\0", 1);
  return [...text]
    .filter((character) => character > "\u001f" && !(character >= "\u007f" && character <= "\u009f"))
    .join("")
    .trim();
};

/** Queues whose documents come from configured gateways. */
export const gatewayQueues: ReadonlySet<string> = new Set(["ipfs", "arweave"]);
/** The queue of URIs that need no network: data URIs, and those that are refused. */
const localQueue = "local";

/**
 * Name of the queue of a URI: `ipfs`, `arweave`, `local`, or the site. A site is the last two labels of the host, since
 * names below a domain cost its owner nothing; of an IPv6 address the first 48 bits, for the same reason.
 */
export const documentQueueOf = (onChain: string): string => {
  const text = sanitizeUri(onChain);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "ipfs") return "ipfs";
  if (scheme === "ar") return "arweave";
  if ((scheme !== "http" && scheme !== "https") || !URL.canParse(text)) return localQueue;
  return siteOf(new URL(text).hostname) ?? localQueue;
};

/** Characters of a host name that has an address. The URL parser takes longer ones, and an index of a store does not. */
export const HOST_NAME_CHARS_MAX = 253;

/** Null for a host without a domain, and for one that is too long: neither is ever requested. */
const siteOf = (hostname: string): string | null => {
  if (hostname.startsWith("[")) {
    const [head = ""] = hostname.slice(1, -1).split("::", 1);
    const groups = head === "" ? [] : head.split(":");
    return `[${[0, 1, 2].map((index) => groups[index] ?? "0").join(":")}::]`;
  }
  const host = hostname.replace(/\.+$/, "");
  // The URL parser spells every IPv4 address as four decimal numbers.
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return host;
  return host.includes(".") && host.length <= HOST_NAME_CHARS_MAX
    ? host.split(".").slice(-2).join(".")
    : null;
};
