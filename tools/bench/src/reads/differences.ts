/** One place where two answers differ. */
export interface Difference {
  /** Names of members from the root; `[]` is any position of a list. */
  readonly path: string;
  /** JSON text of either side; null = absent. */
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** The answers of two servers to the same calls. */
export interface Compared {
  /** Answers with a difference that is not in the list of decided ones. */
  readonly wrong: number;
  readonly differences: ReadonlyMap<string, CountedDifference>;
}

/** One kind of difference. */
export interface CountedDifference {
  /** The number of answers that have it. */
  answers: number;
  readonly example: Difference;
  /** The reason why it was decided; null = it is wrong. */
  readonly reason: string | null;
}

/**
 * Compares two answers. Order of members and `context` do not count, `0.0` is 0. Lists of records with an `id` are
 * compared record by record.
 */
export const differencesOf = (ours: string, theirs: string): readonly Difference[] => {
  const found: Difference[] = [];
  compare("", answerOf(ours), answerOf(theirs), found);
  return found;
};

const answerOf = (text: string): unknown => {
  const { result, error } = JSON.parse(text, exactNumber) as { result?: unknown; error?: unknown };
  return error === undefined ? { result } : { error };
};

/** A number stands as its digits, since some do not fit a JavaScript number. */
const exactNumber = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? `#${(context?.source ?? String(value)).replace(/\.0$/u, "")}` : value;

const compare = (path: string, ours: unknown, theirs: unknown, found: Difference[]): void => {
  if (Array.isArray(ours) && Array.isArray(theirs)) compareLists(path, ours, theirs, found);
  else if (isRecord(ours) && isRecord(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
      if (name !== "context")
        compare(path === "" ? name : `${path}.${name}`, ours[name], theirs[name], found);
  } else if (JSON.stringify(ours) !== JSON.stringify(theirs)) note(path, ours, theirs, found);
};

type Values = readonly unknown[];

const compareLists = (path: string, ours: Values, theirs: Values, found: Difference[]): void => {
  const [ourIds, theirIds] = [idsOf(ours), idsOf(theirs)];
  if (ourIds === null || theirIds === null) {
    if (ours.length !== theirs.length) note(`${path}.length`, ours.length, theirs.length, found);
    else for (const [index, value] of ours.entries()) compare(`${path}[]`, value, theirs[index], found);
    return;
  }
  for (const id of ourIds) if (!theirIds.includes(id)) note(`${path}[] of one`, id, undefined, found);
  for (const id of theirIds) if (!ourIds.includes(id)) note(`${path}[] of one`, undefined, id, found);
  const [ourOrder, theirOrder] = [
    ourIds.filter((id) => theirIds.includes(id)),
    theirIds.filter((id) => ourIds.includes(id)),
  ];
  if (ourOrder.join() !== theirOrder.join()) note(`${path} in order`, ourOrder, theirOrder, found);
  for (const id of ourOrder)
    compare(`${path}[]`, ours[ourIds.indexOf(id)], theirs[theirIds.indexOf(id)], found);
};

/** Null where not every value has one. */
const idsOf = (values: Values): readonly string[] | null => {
  const ids = values.map((value) => (isRecord(value) ? value["id"] : undefined));
  return ids.every((id) => typeof id === "string") ? ids : null;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const note = (path: string, ours: unknown, theirs: unknown, found: Difference[]): void => {
  found.push({ path, ours: textOf(ours), theirs: textOf(theirs) });
};

const textOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value).replaceAll(/"#([^"]*)"/gu, "$1");
