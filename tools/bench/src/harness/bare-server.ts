import { createServer } from "node:http";

/** A call as the benches send it. */
export interface BareCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [string];
}

/**
 * The least that a server over node:http can do: it reads the body, parses it, and sends an answer of one string. Prints
 * its address.
 */
export const serveBare = (answer: (call: BareCall) => string | Promise<string>): void => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const send = (body: string): void => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    };
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = answer(JSON.parse(Buffer.concat(chunks).toString()) as BareCall);
      if (typeof body === "string") send(body);
      else void body.then(send);
    });
  });
  server.keepAliveTimeout = 30_000;
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as { port: number };
    console.log(`http://127.0.0.1:${port}/`);
  });
};
