import { type AdapterSchema, decodeMsgPack } from "@lamplight/codecs";
import { foreignJsonBounds, type JsonValue, parseForeignJson } from "@lamplight/core";

/**
 * Data of an adapter as its schema says: binary as base64; JSON as written by its owner, keys untouched; MessagePack as
 * the same value in JSON. JSON that is none stays text, MessagePack that JSON cannot say becomes base64. So do those of
 * more values.
 */
export const shapeAdapterData = (data: Uint8Array, schema: AdapterSchema, valuesMax: number): JsonValue => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  switch (schema) {
    case "binary":
      return bytes.toString("base64");
    case "json": {
      const text = bytes.toString("utf8");
      return parseForeignJson(text, { ...foreignJsonBounds, nodesMax: valuesMax }) ?? text;
    }
    case "msgPack": {
      const value = decodeMsgPack(data, valuesMax);
      return value === undefined ? bytes.toString("base64") : value;
    }
  }
};
