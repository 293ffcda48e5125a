import { connect } from "node:net";
import { expect, test } from "vitest";

import { post, startTestServer } from "../../test/protocol-server.ts";
import { serverText } from "./server-text.ts";

test("counts refusals, and reports what callers hold until they give it back", async () => {
  const server = await startTestServer();
  const body = '{"jsonrpc":"2.0",';
  const head = `POST /v3/test-key HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100`;
  const socket = connect(server.port, "127.0.0.1");
  try {
    expect((await post(server, "{}", {}, "/v3/wrong")).status).toBe(401);
    socket.write(`${head}\r\n\r\n${body}`);
    await expect.poll(() => server.load().bodiesBytes).toBe(body.length);
    const lines = serverText(server).split("\n");
    expect(lines).toContain('lamplight_server_events_total{event="wrongKeys"} 1');
    expect(lines).toContain(`lamplight_server_held{resource="bodiesBytes"} ${body.length}`);
    expect(lines).toContain('lamplight_server_held{resource="readViews"} 0');
    expect(server.load().connections).toBeGreaterThan(0);
    expect(lines.every((line) => line === "" || /^(# TYPE \w+ \w+|\w+\{\w+="\w+"\} \d+)$/u.test(line))).toBe(
      true,
    );
    socket.destroy();
    await expect.poll(() => server.load().bodiesBytes).toBe(0);
  } finally {
    socket.destroy();
    await server.stop();
  }
});
