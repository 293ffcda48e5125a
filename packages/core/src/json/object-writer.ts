import { type JsonText, storedJson } from "./json-text.ts";

/** Whole numbers and truth values are their own JSON; strings and objects come as finished text. */
type MemberText<Value> =
  | JsonText<Exclude<Value, undefined>>
  | Extract<Value, number | bigint | boolean | null | undefined>;

type MemberTexts<Value, Names extends readonly (keyof Value)[]> = {
  readonly [Index in keyof Names]: MemberText<Value[Names[Index]]>;
};

/** Refuses a list of names that lacks a member of the contract. */
type Complete<Value, Names extends readonly (keyof Value)[]> = [Exclude<keyof Value, Names[number]>] extends [
  never,
]
  ? unknown
  : { readonly missingMembers: Exclude<keyof Value, Names[number]> };

/**
 * A writer of JSON objects of one type of the contract, with its members in this order. It takes their values in the same
 * order and leaves out what is `undefined`. A member that the contract renames, adds or retypes is a compile error here.
 *
 * Costs about as much as a template string; `writeJson` costs twice that for an account in a list.
 *
 * ```ts
 * const writeContext = objectWriter<Context>()("apiVersion", "slot");
 * ```
 */
export const objectWriter =
  <Value extends object>() =>
  <const Names extends readonly (keyof Value & string)[]>(...names: Names & Complete<Value, Names>) => {
    const prefixes = (names as Names).map((name) => `${JSON.stringify(name)}:`);
    return (...values: MemberTexts<Value, Names>): JsonText<Value> => {
      let text = "";
      for (let index = 0; index < prefixes.length; index += 1) {
        const value = values[index];
        if (value === undefined) continue;
        text += (text === "" ? "{" : ",") + prefixes[index]! + String(value);
      }
      return storedJson(text === "" ? "{}" : `${text}}`);
    };
  };

/** A list of finished items. */
export const listJson = <Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> =>
  storedJson(`[${items.join(",")}]`);

/** Text that needs no escaping, such as base58. */
export const plainText = (text: string): JsonText<string> => storedJson(`"${text}"`);
