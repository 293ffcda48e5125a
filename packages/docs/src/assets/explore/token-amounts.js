// What a wallet holds of a token: the balance of its associated token account, whose address follows from both.
import { call } from "./rpc.js";

const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ADDRESS_BYTES = 32;
const FIELD = 2n ** 255n - 19n;
const CURVE_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const bytesOf = (address) => {
  let value = 0n;
  for (const digit of address) value = value * 58n + BigInt(DIGITS.indexOf(digit));
  return Uint8Array.from({ length: ADDRESS_BYTES }, (_, index) =>
    Number((value >> BigInt(8 * (ADDRESS_BYTES - 1 - index))) & 255n),
  );
};

const textOf = (bytes) => {
  let value = bytes.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n);
  let text = "";
  for (; value > 0n; value /= 58n) text = DIGITS[Number(value % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros) + text;
};

const power = (base, exponent) => {
  let result = 1n;
  for (let square = base % FIELD, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % FIELD;
    square = (square * square) % FIELD;
  }
  return result;
};

/** Whether a key can belong to the address: no program derives such a one. */
const isOnCurve = (bytes) => {
  const y = bytes.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n) % 2n ** 255n;
  const squared = (y * y) % FIELD;
  const product = ((squared + FIELD - 1n) * (CURVE_D * squared + 1n)) % FIELD;
  return power(product, (FIELD - 1n) / 2n) !== FIELD - 1n;
};

const associatedAddress = async (owner, mint, tokenProgram) => {
  const program = bytesOf(ASSOCIATED_TOKEN_PROGRAM);
  const seeds = [owner, tokenProgram, mint].flatMap((address) => [...bytesOf(address)]);
  const marker = new TextEncoder().encode("ProgramDerivedAddress");
  for (let bump = 255; bump >= 0; bump -= 1) {
    const bytes = Uint8Array.from([...seeds, bump, ...program, ...marker]);
    const address = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    if (!isOnCurve(address)) return textOf(address);
  }
  return null;
};

/** As a wallet shows it; null where it is not known. Browsers hash only on https and on this machine. */
export const heldAmount = async (owner, { id, token_info: token }) => {
  if (globalThis.crypto?.subtle === undefined || !token?.token_program) return null;
  const address = await associatedAddress(owner, id, token.token_program);
  const { result } = await call("getAccountInfo", { address, config: { encoding: "jsonParsed" } });
  return result?.value?.data.parsed?.info.tokenAmount?.uiAmountString ?? null;
};
