import { createServer } from "node:net";

const FIRST_PORT = 20_000;
const LAST_PORT = 60_000;
const ATTEMPTS = 200;

/** The first of so many ports in a row that are free now. */
export const findFreePorts = async (count: number): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const from = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT - count));
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(from + index)));
    if (free.every(Boolean)) return from;
  }
  throw new Error(`no ${count} free ports in a row`);
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
