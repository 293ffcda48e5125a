const moving: readonly (readonly [RegExp, string])[] = [
  [/"apiVersion":"[^"]*"/gu, '"apiVersion":"*"'],
  [/"(slot|contextSlot)":\d+/gu, '"$1":"*"'],
];

/** Outside of parsed accounts, only these members say where and when an answer was made. */
const context = /\{"apiVersion":"[^"]*","slot":\d+\}|\{"contextSlot":\d+\}/gu;

/** The text without what may differ between two nodes that hold the same accounts. */
export const maskMoving = (text: string): string =>
  text.replaceAll(context, (found) =>
    moving.reduce((masked, [pattern, replacement]) => masked.replaceAll(pattern, replacement), found),
  );
