import { exactJson } from "@lamplight/sources/endpoint";

const VALUE_LENGTH_MAX = 120;

/** A value on one line. */
export const valueText = (value: unknown): string =>
  value === undefined ? "(absent)" : shorten(exactJson(value));

export const shorten = (text: string, lengthMax = VALUE_LENGTH_MAX): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
