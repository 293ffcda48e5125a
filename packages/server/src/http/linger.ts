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

/** Calls of a caller that has ended its side are given up where nothing is written to it, or owed, for so long. */
const HALF_CLOSED_MS = 5000;

/**
 * The caller has ended its side: it gets the answers to what it sent, as long as they come. A caller that has
 * disconnected looks the same until something is written to it, so that calls without an answer go on for a few seconds only.
 *
 * @param isOwed - whether an answer is on its way to it
 */
export const giveUpSoon = (socket: Socket, isOwed: () => boolean): void => {
  let { bytesWritten } = socket;
  const timer = setInterval(() => {
    if (!isOwed() && bytesWritten === socket.bytesWritten) socket.destroy();
    ({ bytesWritten } = socket);
  }, HALF_CLOSED_MS).unref();
  socket.once("close", () => clearInterval(timer));
};

const drop = (): void => undefined;
