import { readFile } from "node:fs/promises";
import { isIPv4, type Socket } from "node:net";

import { groupsOf } from "./address.ts";

/** Linux lists the connections of a machine here, each with the bytes in its queues. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"] as const;

/** Time for which a table serves: reading it costs some milliseconds where a machine has many connections. */
const KEPT_MS = 1000;

/** IPv4 addresses in the table of IPv6. */
const mappedPrefix = "0000000000000000FFFF0000";

const entryPattern =
  /^ *\d+: (?<local>[\dA-F]+:[\dA-F]{4}) (?<remote>[\dA-F]+:[\dA-F]{4}) [\dA-F]{2} (?!0{8}:0{8})(?<toSend>[\dA-F]{8}):(?<toRead>[\dA-F]{8}) /gmu;

interface Queues {
  /** Bytes that the other side has not acknowledged. */
  readonly toSend: number;
  /** Bytes that the process has not read. */
  readonly toRead: number;
}

/** The queues of this machine's connections, which Node does not show. */
export class SystemQueues {
  #reading: Promise<ReadonlyMap<string, Queues>> | null = null;

  /**
   * Bytes of a connection that our system has not delivered. Of a caller on the same machine, they include those that it
   * has not read. Null where the system does not list the connection, or has delivered all.
   */
  async undelivered({ localAddress, localPort, remoteAddress, remotePort }: Socket): Promise<number | null> {
    if (localAddress === undefined || remoteAddress === undefined) return null;
    const [local, remote] = [endOf(localAddress, localPort!), endOf(remoteAddress, remotePort!)];
    const listed = await this.#listed();
    const own = listed.get(`${local} ${remote}`);
    if (own === undefined) return null;
    return own.toSend + (listed.get(`${remote} ${local}`)?.toRead ?? 0);
  }

  #listed(): Promise<ReadonlyMap<string, Queues>> {
    if (this.#reading === null) {
      this.#reading = readQueues();
      setTimeout(() => {
        this.#reading = null;
      }, KEPT_MS).unref();
    }
    return this.#reading;
  }
}

/** By local and remote end. Connections whose queues are empty are left out: most lines are of such. */
const readQueues = async (): Promise<ReadonlyMap<string, Queues>> => {
  const texts = await Promise.all(tables.map((table) => readFile(table, "latin1").catch(() => "")));
  const listed = new Map<string, Queues>();
  for (const { groups } of texts.join("").replaceAll(mappedPrefix, "").matchAll(entryPattern)) {
    const { local, remote, toSend, toRead } = groups!;
    listed.set(`${local} ${remote}`, {
      toSend: Number.parseInt(toSend!, 16),
      toRead: Number.parseInt(toRead!, 16),
    });
  }
  return listed;
};

/** As the table names it: words of four bytes, the last byte of each first, and the port. */
const endOf = (address: string, port: number): string => {
  const ipv4 = address.replace(/^::ffff:(?=\d+\.)/iu, "");
  const bytes = isIPv4(ipv4)
    ? ipv4.split(".").map(Number)
    : groupsOf(address).flatMap((group) => [group >> 8, group & 0xff]);
  const reversed = bytes.map((_, index) => bytes[(index & ~3) + 3 - (index & 3)]!);
  return `${Buffer.from(reversed).toString("hex")}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
};
