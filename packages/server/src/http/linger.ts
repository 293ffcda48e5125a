import type { Socket } from "node:net";

/** Time for which a connection is read after its last answer. */
const LINGER_MS = 1000;

/** Reads what else arrives, and drops it: none of it is a request any more. */
export const dropInput = (socket: Socket): void => {
  if (socket.destroyed) return;
  // The listener comes first: node:http then reads no longer around the stream.
  socket.on("data", drop);
  for (const listener of socket.listeners("data"))
    if (listener !== drop) socket.off("data", listener as () => void);
  socket.resume();
};

/**
 * Ends our side, and reads on until the caller ends its own, for a second at most. A caller that is still sending would
 * lose the answer if the connection were closed now.
 */
export const endAndLinger = (socket: Socket): void => {
  socket.end();
  dropInput(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
};

const drop = (): void => undefined;
