import { Agent, type AgentOptions, type IncomingHttpHeaders, request } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import type { Commitment, ViewSource } from "@lamplight/core";
import { type RunningServer, startServer } from "@lamplight/server";

/** The only key of a test chain. */
export const testKey = "test";

export interface HttpCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** The real server without a port: each connection is a pair of streams in this process. */
export class InProcessServer {
  readonly #viewSource: ViewSource;
  readonly #assetCommitment: Commitment;
  readonly #docsDirectory: string | null;
  #running: Promise<{ readonly server: RunningServer; readonly agent: Agent }> | null = null;

  /** @param docsDirectory - folder of the pages; null = none */
  constructor(viewSource: ViewSource, assetCommitment: Commitment, docsDirectory: string | null = null) {
    this.#viewSource = viewSource;
    this.#assetCommitment = assetCommitment;
    this.#docsDirectory = docsDirectory;
  }

  async call({ method, path, headers, body }: HttpCall): Promise<HttpAnswer> {
    const { agent } = await (this.#running ??= this.#start());
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent, method, path, headers: { host: "localhost", ...headers } },
        (response) => {
          const chunks: Uint8Array[] = [];
          response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  async close(): Promise<void> {
    if (this.#running === null) return;
    const { server, agent } = await this.#running;
    agent.destroy();
    await server.stop();
  }

  async #start() {
    const server = await startServer({
      viewSource: this.#viewSource,
      assetCommitment: this.#assetCommitment,
      keys: [testKey],
      publicKey: this.#docsDirectory === null ? null : testKey,
      docsDirectory: this.#docsDirectory,
      listens: false,
      privateNetworkOrigins: [],
    });
    return { server, agent: new StreamAgent((stream) => server.accept(stream), { keepAlive: false }) };
  }
}

class StreamAgent extends Agent {
  readonly #connect: (stream: Duplex) => void;

  constructor(connect: (stream: Duplex) => void, options: AgentOptions) {
    super(options);
    this.#connect = connect;
  }

  override createConnection(): Duplex {
    const [own, other] = duplexPair();
    this.#connect(other);
    return own;
  }
}
