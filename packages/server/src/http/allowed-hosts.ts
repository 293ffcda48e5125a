import { isIPv4 } from "node:net";

import { isLoopbackHost } from "./address.ts";

export interface HostSettings {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly allowedHosts: readonly string[];
  /** Where a proxy is in front, it decides which names reach the server. */
  readonly trustProxy: boolean;
}

/**
 * Decides which names in `Host` are answered. A web page can make a browser call this machine under the page's own name
 * (DNS rebinding). So a server on loopback answers names with a dot only where its settings list them; an address, or a
 * name without a dot, cannot be such a page's. Nor can a name under `.internal`, which the public DNS will never have:
 * containers reach this machine as `host.docker.internal`. A server for other machines answers all names unless some
 * are listed.
 */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  readonly #answersAll: boolean;

  constructor({ host, publicUrl, allowedHosts, trustProxy }: HostSettings) {
    const own = publicUrl === null ? [host] : [host, new URL(publicUrl).hostname];
    this.#names = new Set([...own, ...allowedHosts].map((name) => name.toLowerCase()));
    this.#answersAll = allowedHosts.length === 0 && (trustProxy || !isLoopbackHost(host));
  }

  /** @param hostHeader - `localhost:5267`; an HTTP/1.0 request may have none, and no browser sends those */
  allows(hostHeader: string): boolean {
    if (this.#answersAll || hostHeader === "") return true;
    const name = hostHeader.replace(/:\d*$/u, "").replace(/\.$/u, "").toLowerCase();
    if (this.#names.has(name) || name.startsWith("[") || isIPv4(name)) return true;
    return !name.includes(".") || name.endsWith(".localhost") || name.endsWith(".internal");
  }
}
