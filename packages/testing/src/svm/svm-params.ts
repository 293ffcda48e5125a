import { RpcError } from "@lamplight/client";
import { decodeBase58, encodeBase58 } from "@lamplight/codecs";
import { type AddressBytes, type Commitment, commitments } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { readWire, unsignedWire, type Wire } from "./lite-svm.ts";

/** Parameters of a call, as they were sent. */
export type Params = readonly unknown[];
/** The last parameter: an object of settings. */
export type Config = Readonly<Record<string, unknown>>;

/** Bytes of one packet, and what they are in text. */
const packet = { bytes: 1232, base58: 1683, base64: 1644 };
const SIGNATURES_MAX = 256;
const U64_MAX = 2n ** 64n - 1n;
const transactionType = "solana_transaction::versioned::VersionedTransaction";
const messageType = "solana_message::versions::VersionedMessage";

export const invalidParams = (message: string): RpcError => new RpcError({ code: -32602, message });

export const configOf = (params: Params, index: number): Config => {
  const config = params[index] ?? {};
  if (typeof config === "object" && !Array.isArray(config)) return config as Config;
  throw invalidParams(`Invalid params: parameter ${index + 1} must be an object`);
};

const textOf = (params: Params, index: number): string => {
  const text = params[index];
  if (typeof text === "string") return text;
  throw invalidParams(`Invalid params: parameter ${index + 1} must be a string`);
};

/** Default `finalized`. */
export const commitmentOf = (config: Config, member = "commitment"): Commitment => {
  const given = config[member] ?? "finalized";
  if (commitments.includes(given as Commitment)) return given as Commitment;
  throw invalidParams(`Invalid params: ${member} must be ${commitments.join(", ")}`);
};

export const flagOf = (config: Config, member: string): boolean => {
  const given = config[member] ?? false;
  if (typeof given === "boolean") return given;
  throw invalidParams(`Invalid params: ${member} must be a boolean`);
};

/** A whole number of up to 64 bits. */
export const u64Of = (params: Params, index: number): bigint => {
  const given = params[index];
  const isWhole = typeof given === "bigint" || Number.isSafeInteger(given);
  const value = isWhole ? BigInt(given as bigint | number) : -1n;
  if (value >= 0n && value <= U64_MAX) return value;
  throw invalidParams(`Invalid params: parameter ${index + 1} must be a u64`);
};

export const addressOf = (params: Params, index: number): AddressBytes =>
  fixedBytes(textOf(params, index), 32) as AddressBytes;

export const blockhashOf = (params: Params, index: number): string => {
  const text = textOf(params, index);
  fixedBytes(text, 32);
  return text;
};

export const signaturesOf = (params: Params, index: number): readonly string[] => {
  const given = params[index];
  if (!Array.isArray(given)) throw invalidParams(`Invalid params: parameter ${index + 1} must be an array`);
  if (given.length > SIGNATURES_MAX) throw invalidParams(`Too many inputs provided; max ${SIGNATURES_MAX}`);
  return given.map((_, at) => encodeBase58(fixedBytes(textOf(given, at), 64)));
};

/** A transaction in base58, or as `encoding` says. */
export const transactionOfParams = (params: Params, config: Config): Wire => {
  const text = textOf(params, 0);
  const encoding = config["encoding"] ?? "base58";
  if (encoding !== "base58" && encoding !== "base64")
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  return deserialize(decodePacket(text, encoding, transactionType), transactionType);
};

/** A message in base64. Its signatures are zeros. */
export const messageOfParams = (params: Params): Wire => {
  const message = decodePacket(textOf(params, 0), "base64", messageType);
  // The first byte of a message with a version has its highest bit set. The number of signatures follows.
  const signatures = message[(message[0] ?? 0) & 0x80 ? 1 : 0] ?? 0;
  return deserialize(unsignedWire(message, signatures), messageType);
};

const decodePacket = (text: string, encoding: "base58" | "base64", type: string): Uint8Array => {
  const longest = packet[encoding];
  if (text.length > longest)
    throw invalidParams(
      `${encoding} encoded ${type} too large: ${text.length} bytes (max: encoded/raw ${longest}/${packet.bytes})`,
    );
  const bytes = encoding === "base58" ? fromBase58(text, longest) : fromBase64(text);
  if (bytes.length > packet.bytes)
    throw invalidParams(`decoded ${type} too large: ${bytes.length} bytes (max: ${packet.bytes} bytes)`);
  return bytes;
};

const fromBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw invalidParams("invalid base64 encoding: InvalidByte");
  return bytes;
};

const fromBase58 = (text: string, longest: number): Uint8Array => {
  try {
    return decodeBase58(text, longest);
  } catch (error) {
    if (!isLamplightError(error)) throw error;
    throw invalidParams("invalid base58 encoding: InvalidCharacter");
  }
};

const deserialize = (bytes: Uint8Array, type: string): Wire => {
  let wire: Wire;
  try {
    wire = readWire(bytes);
  } catch (error) {
    if (!isLamplightError(error)) throw error;
    throw invalidParams(`failed to deserialize ${type}: ${error.message}`);
  }
  const signers = wire.message[wire.version === "legacy" ? 0 : 1];
  const programs = wire.instructions.map(({ programIndex }) => wire.staticKeys[programIndex]);
  if (wire.signatures.length !== signers || signers === 0 || programs.includes(undefined))
    throw invalidParams("invalid transaction: Transaction failed to sanitize accounts offsets correctly");
  return wire;
};

const fixedBytes = (text: string, length: number): Uint8Array => {
  // 1.4 characters hold a byte.
  const bytes = text.length > length * 1.4 ? new Uint8Array(0) : tryBase58(text);
  if (bytes === null) throw invalidParams("Invalid param: Invalid");
  if (bytes.length !== length) throw invalidParams("Invalid param: WrongSize");
  return bytes;
};

const tryBase58 = (text: string): Uint8Array | null => {
  try {
    return decodeBase58(text, text.length);
  } catch {
    return null;
  }
};
