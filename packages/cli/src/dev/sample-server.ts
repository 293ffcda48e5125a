import { type RunningServer, type ServerOptions, startServer } from "@lamplight/server";
import { EmbeddedChain } from "./embedded-chain.ts";

/** The one key of the servers that `demo` and `dev` start. */
export const sampleKey = "demo";

/** `lamplight dev` serves the same chain by default, and moves it. */
export const SAMPLE_SEED = 1;

/** The choices that a server of the sample chain leaves to its caller. */
export interface SampleServerOptions extends Omit<
  ServerOptions,
  "keys" | "publicKey" | "searchStatus" | "viewSource"
> {
  /** A store that is made. */
  readonly file: string;
}

/** @param file - a store that is made */
export const openSampleChain = (file: string): Promise<EmbeddedChain> =>
  EmbeddedChain.open({ file, seed: SAMPLE_SEED, cloned: [], consensus: "towerbft" });

/**
 * Serves the sample chain at rest, as `lamplight demo` does. The examples of the contract are recorded from it.
 *
 * @throws LamplightError `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const startSampleServer = async ({
  file,
  ...options
}: SampleServerOptions): Promise<Pick<RunningServer, "stop" | "url">> => {
  const chain = await openSampleChain(file);
  const { viewSource, search } = chain;
  const access = { keys: [sampleKey], publicKey: sampleKey };
  try {
    const server = await startServer({
      ...options,
      ...access,
      viewSource,
      searchStatus: () => search.status(),
    });
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        await chain.stop();
      },
    };
  } catch (error) {
    await chain.stop();
    throw error;
  }
};
