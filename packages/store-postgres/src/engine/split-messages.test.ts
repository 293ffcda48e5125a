import { expect, test } from "vitest";
import { MessageSplitter } from "./row-messages.ts";

const message = (index: number, bodyBytes: number): Buffer => {
  const bytes = Buffer.alloc(5 + bodyBytes, index);
  bytes.write(String.fromCharCode(65 + index), 0, "latin1");
  bytes.writeUInt32BE(4 + bodyBytes, 1);
  return bytes;
};

test("messages are the same wherever they are cut", () => {
  const messages = [0, 1, 2, 0, 0, 3, 7, 40, 0, 5, 300, 0].map((bodyBytes, index) =>
    message(index, bodyBytes),
  );
  const all = Buffer.concat(messages);
  for (let pieceBytes = 1; pieceBytes <= all.length; pieceBytes += 1) {
    const found: string[] = [];
    const splitter = new MessageSplitter((bytes, from, to) => found.push(bytes.toString("hex", from, to)));
    for (let at = 0; at < all.length; at += pieceBytes) splitter.add(all.subarray(at, at + pieceBytes));
    expect(found, `in pieces of ${pieceBytes}`).toEqual(messages.map((one) => one.toString("hex")));
  }
});
