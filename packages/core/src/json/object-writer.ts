import { type JsonText, storedJson } from "./json-text.ts";
import { memberStart, type MemberName } from "./member-texts.ts";

/** Whole numbers and truth values are their own JSON; strings and objects come as finished text. */
type MemberText<Value> =
  | JsonText<Exclude<Value, undefined>>
  | Extract<Value, number | bigint | boolean | null | undefined>;

type MemberTexts<Value, Names extends readonly (keyof Value)[]> = {
  readonly [Index in keyof Names]: MemberText<Value[Names[Index]]> | Absence<Value, Names[Index]>;
};

/** An optional member may be left out, also one of type `unknown`. */
type Absence<Value, Name extends keyof Value> = object extends Pick<Value, Name> ? undefined : never;

/** Refuses a list of names that lacks a member of the contract. */
type Complete<Value, Names extends readonly (keyof Value)[]> = [
  Exclude<MemberName<Value>, Names[number]>,
] extends [never]
  ? unknown
  : { readonly missingMembers: Exclude<MemberName<Value>, Names[number]> };

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
  <const Names extends readonly MemberName<Value>[]>(...names: Names & Complete<Value, Names>) => {
    const starts = (names as Names).map((name) => `{${memberStart<Value>(name)}`);
    const nexts = (names as Names).map((name) => `,${memberStart<Value>(name)}`);
    return (...values: MemberTexts<Value, Names>): JsonText<Value> => {
      let text = "";
      let prefixes = starts;
      for (let index = 0; index < starts.length; index += 1) {
        const value: unknown = values[index];
        if (value === undefined) continue;
        text += prefixes[index]! + (typeof value === "string" ? value : String(value));
        prefixes = nexts;
      }
      return storedJson(text === "" ? "{}" : `${text}}`);
    };
  };

/** A list of finished items. */
export const listJson = <Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> => {
  // Most lists of a document have one item: `join` takes several times as long.
  if (items.length <= 1) return storedJson(items.length === 0 ? "[]" : `[${items[0]!}]`);
  return storedJson(`[${items.join(",")}]`);
};

/** Text that needs no escaping, such as base58. */
export const plainText = <Text extends string>(text: Text): JsonText<Text> => storedJson(`"${text}"`);
