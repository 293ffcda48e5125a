// A server whose process may open few files, and has opened all of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const DESCRIPTORS = 128;
const server = new URL("../start-server.ts", import.meta.url).href;

/** Takes all descriptors on the first line of its stdin, and gives them back on the second. */
const script = `(async () => {
  const { openSync, closeSync } = await import("node:fs");
  const { once } = await import("node:events");
  const { startServer } = await import(${JSON.stringify(server)});
  const log = { error() {}, info() {}, warn: (fields) => console.log(JSON.stringify(fields)) };
  const viewSource = { openView: () => { throw new Error("not read"); } };
  const { url } = await startServer({ viewSource, keys: ["one"], port: 0, log });
  console.log(JSON.stringify({ url }));
  await once(process.stdin, "data");
  const taken = [];
  try {
    for (;;) taken.push(openSync("/dev/null"));
  } catch (error) {
    console.log(JSON.stringify({ code: error.code }));
  }
  await once(process.stdin, "data");
  for (const descriptor of taken) closeSync(descriptor);
  console.log(JSON.stringify({ freed: taken.length > 0 }));
})()`;

const statusOf = async (url: string, agent: Agent): Promise<number | undefined> => {
  const [response] = (await once(get(`${url}/livez`, { agent }), "response")) as [
    NodeJS.ReadableStream & { statusCode?: number },
  ];
  response.resume();
  await once(response, "end");
  return response.statusCode;
};

test.skipIf(process.platform !== "linux")(
  "a server without descriptors reports it, answers open connections, and recovers",
  async () => {
    const command = `ulimit -n ${DESCRIPTORS} && exec "$0" --conditions=@lamplight/source --eval "$1"`;
    const child = spawn("sh", ["-c", command, process.execPath, script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const known = new Agent({ keepAlive: true, maxSockets: 1 });
    const other = new Agent({ keepAlive: false });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    /** The next line that has this member. */
    const report = async (member: string): Promise<Record<string, unknown>> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`the server ended before it reported ${member}`);
        const fields = JSON.parse(value) as Record<string, unknown>;
        if (member in fields) return fields;
      }
    };
    try {
      expect(await report("accepted")).toMatchObject({ descriptors: DESCRIPTORS, accepted: DESCRIPTORS / 2 });
      const { url } = (await report("url")) as { url: string };
      expect(await statusOf(url, known)).toBe(200);
      child.stdin.write("take\n");
      expect(await report("code")).toEqual({ code: "EMFILE" });
      expect(await report("event")).toMatchObject({ event: "descriptors" });
      expect(await statusOf(url, known)).toBe(200);
      await expect(statusOf(url, other)).rejects.toThrow();
      child.stdin.write("free\n");
      expect(await report("freed")).toEqual({ freed: true });
      await expect.poll(() => statusOf(url, other).catch(() => null)).toBe(200);
    } finally {
      known.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  },
);
