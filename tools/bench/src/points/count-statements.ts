import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a database that counts the statements sent along it. */
export interface CountedWay {
  /** The URL of the database by this way. */
  readonly url: string;
  /** Statements so far, those of several in one message one by one. */
  count(): number;
  close(): void;
}

const executes = "E".charCodeAt(0);
const simpleQuery = "Q".charCodeAt(0);
/** A letter and a length, which counts itself. */
const HEADER_BYTES = 5;

/** @param database - URL of the database */
export const countStatements = async (database: string): Promise<CountedWay> => {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let statements = 0;
  const server = createServer((client) => {
    const host = connect(Number(target.port), target.hostname);
    for (const socket of [client, host]) sockets.add(socket.on("error", () => undefined).setNoDelay(true));
    const countIn = messageCounter((added) => void (statements += added));
    client.on("data", countIn);
    client.pipe(host).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(database);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    count: () => statements,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** Reads what a client sends: first a message without a letter, then messages with one. */
const messageCounter = (add: (statements: number) => void): ((chunk: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  let letters = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const end = letters + rest.readInt32BE(letters);
      if (rest.length < end) return;
      if (letters === 1 && rest[0] === executes) add(1);
      if (letters === 1 && rest[0] === simpleQuery)
        add(
          rest
            .toString("utf8", HEADER_BYTES, end - 1)
            .split(";")
            .filter((text) => text.trim() !== "").length,
        );
      letters = 1;
      rest = rest.subarray(end);
    }
  };
};
