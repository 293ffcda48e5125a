import { expect, test } from "vitest";
import { answerHeadOf } from "./answer-head.ts";

const text = '{"jsonrpc":"2.0","result":null,"id":1}';
const withLength = `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
const [one, two] = [text.slice(0, 30), text.slice(30)];
const inChunks = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1e\r\n${one}\r\n8\r\n${two}\r\n0\r\n\r\n`;

for (const [name, answer] of [
  ["a length", withLength],
  ["chunks", inChunks],
] as const)
  test(`an answer with ${name} ends with its last byte, wherever it is split`, () => {
    const bytes = Buffer.from(answer);
    for (let split = bytes.indexOf(text.slice(0, 5)); split < bytes.length; split += 1) {
      const head = answerHeadOf(bytes.subarray(0, split));
      expect(head?.isOk).toBe(true);
      expect(answer.slice(head?.textStart)).toMatch(/^\{"jsonrpc"/u);
      expect(head?.rest(bytes.subarray(head.bodyStart, split)), String(split)).toBe(false);
      for (const byte of bytes.subarray(split, -1)) expect(head?.rest(Buffer.of(byte))).toBe(false);
      expect(head?.rest(bytes.subarray(-1))).toBe(true);
    }
  });

test("a head is known when it is complete", () => {
  const bytes = Buffer.from(inChunks);
  for (let length = 0; length < bytes.indexOf("1e\r\n") + 4; length += 1)
    expect(answerHeadOf(bytes.subarray(0, length))).toBeNull();
});

test("a refusal is no answer", () => {
  expect(answerHeadOf(Buffer.from(withLength.replace("200 OK", "429 Too Many Requests")))?.isOk).toBe(false);
});
