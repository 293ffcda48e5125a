// Finished JSON as text: members are replaced without parsing the rest, which keeps every digit and is far cheaper.
// Only for text that this project wrote: no white space between tokens, no escapes in the names of the outermost members.

import { type JsonText, storedJson } from "./json-text.ts";

/** The members that a type names, without the free ones of an index signature. */
export type MemberName<Value> = keyof {
  [Name in keyof Value as string extends Name ? never : Name]: never;
} &
  string;

type MemberJson<Value, Name extends keyof Value> = JsonText<Exclude<Value[Name], undefined>>;

/** The finished text of each member of an object, by its name. */
export interface MemberTexts<Value> extends Iterable<readonly [MemberName<Value>, JsonText<unknown>]> {
  get<Name extends MemberName<Value>>(name: Name): MemberJson<Value, Name> | undefined;
  set<Name extends MemberName<Value>>(name: Name, text: MemberJson<Value, Name>): unknown;
  delete(name: MemberName<Value>): boolean;
}

/** The name of a member with its colon, as an object has it. */
export const memberStart = <Value = never>(name: MemberName<Value>): string => `${JSON.stringify(name)}:`;

export const objectText = <Value>(members: MemberTexts<Value>): JsonText<Value> => {
  let text = "";
  for (const [name, value] of members) text += `${text === "" ? "{" : ","}"${name}":${value}`;
  return storedJson(text === "" ? "{}" : `${text}}`);
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** The text of each member of an object by its name, in their order. */
export const memberTexts = <Value>(text: JsonText<Value>): MemberTexts<Value> => {
  const members = new Map<string, string>();
  for (let at = 1; text.charCodeAt(at) === QUOTE;) {
    const nameEnd = endOfString(text, at);
    const valueEnd = endOfValue(text, nameEnd + 1);
    members.set(text.slice(at + 1, nameEnd - 1), text.slice(nameEnd + 1, valueEnd));
    at = text.charCodeAt(valueEnd) === COMMA ? valueEnd + 1 : valueEnd;
  }
  return members as unknown as MemberTexts<Value>;
};

/** New texts of members by their names, each made from the one that the object has. */
export type MemberEdits<Value> = {
  readonly [Name in MemberName<Value>]?:
    | ((own: MemberJson<Value, Name>) => MemberJson<Value, Name>)
    | undefined;
};

/** An object with other texts for some of its members. A member that it lacks is not added. */
export const editMembers = <Value>(text: JsonText<Value>, edits: MemberEdits<Value>): JsonText<Value> => {
  const editOf = edits as Record<string, ((own: string) => string) | undefined>;
  let edited = "";
  let kept = 0;
  for (let at = 1; text.charCodeAt(at) === QUOTE;) {
    const nameEnd = endOfString(text, at);
    const valueEnd = endOfValue(text, nameEnd + 1);
    const name = text.slice(at + 1, nameEnd - 1);
    const edit = Object.hasOwn(editOf, name) ? editOf[name] : undefined;
    if (edit !== undefined) {
      edited += text.slice(kept, nameEnd + 1) + edit(text.slice(nameEnd + 1, valueEnd));
      kept = valueEnd;
    }
    at = text.charCodeAt(valueEnd) === COMMA ? valueEnd + 1 : valueEnd;
  }
  return storedJson(edited + text.slice(kept));
};

/** Behind the closing quote of the string that starts there. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
};

/** An odd run of backslashes before a quote makes it part of the string. */
const isEscaped = (text: string, quoteAt: number): boolean => {
  let at = quoteAt - 1;
  while (text.charCodeAt(at) === BACKSLASH) at -= 1;
  return (quoteAt - at) % 2 === 0;
};

/** Where the value that starts there ends: at the next comma, at the bracket around it, or with the text. */
export const endOfValue = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        break;
      // { and [
      case 0x7b:
      case 0x5b:
        depth += 1;
        break;
      // } and ]
      case 0x7d:
      case 0x5d:
        depth -= 1;
        if (depth < 0) return at;
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
      default:
    }
  }
  return text.length;
};
