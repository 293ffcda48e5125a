import { isMembers, kindOf, type Members } from "../json-kind.ts";

/** A fault of one transaction. The reader adds file and place. */
export class TransactionFault extends Error {
  override readonly name = "TransactionFault";
}

export const membersOf = (value: unknown, what: string): Members => {
  if (!isMembers(value)) throw new TransactionFault(`${what} must be an object, got ${kindOf(value)}`);
  return value;
};

export const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new TransactionFault(`${what} must be an array, got ${kindOf(value)}`);
  return value;
};

/** Absent and null are the empty list. */
export const optionalListOf = (value: unknown, what: string): readonly unknown[] =>
  value === undefined || value === null ? [] : listOf(value, what);

export const textOf = (value: unknown, what: string): string => {
  if (typeof value !== "string") throw new TransactionFault(`${what} must be text, got ${kindOf(value)}`);
  return value;
};

export const counterOf = (value: unknown, what: string): number => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new TransactionFault(`${what} must be a whole number, got ${kindOf(value)}`);
  }
  return value;
};
