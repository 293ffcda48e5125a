import { usageError } from "@lamplight/errors";

import { type KeyLimits, type KeyRecord, STORED_KEYS_MAX } from "./key-record.ts";

/** A change of one record. Changes are functions of the present records: a store applies them while no other can. */
export interface KeyChange {
  readonly records: readonly KeyRecord[];
  readonly audit: AuditLine;
}

/** One line for each change: who changed which key, and how. It has no hash. */
export interface AuditLine {
  readonly at: string;
  readonly action: "create" | "disable" | "enable" | "limit" | "rotate";
  readonly key: string;
  /** The account of the operating system that ran the command. */
  readonly by: string;
  /** The members that were set. */
  readonly set: Readonly<Record<string, unknown>>;
}

export interface ChangeContext {
  readonly now: Date;
  readonly by: string;
}

/** @throws LamplightError `CLI__USAGE` for a name that is taken, and where there are too many keys */
export const createRecord = (
  records: readonly KeyRecord[],
  made: Pick<KeyRecord, "expires" | "hash" | "limits" | "name">,
  context: ChangeContext,
): KeyChange => {
  if (records.some(({ name }) => name === made.name))
    throw usageError(`there is a key ${made.name}; choose another name, or rotate it`);
  if (records.length >= STORED_KEYS_MAX) throw usageError(`a key store has at most ${STORED_KEYS_MAX} keys`);
  const record = { ...made, created: context.now.toISOString(), disabled: null, previous: null };
  const { expires, limits } = made;
  return {
    records: [...records, record],
    audit: auditOf("create", made.name, context, { expires, ...limits }),
  };
};

/**
 * Replaces a key by a new one. The one before stays valid for `overlapMs`. One that an earlier rotation left ends now.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const rotateRecord = (
  records: readonly KeyRecord[],
  { name, hash, overlapMs }: { readonly name: string; readonly hash: string; readonly overlapMs: number },
  context: ChangeContext,
): KeyChange =>
  changeRecord(records, name, "rotate", context, (record) => {
    const until = new Date(context.now.getTime() + overlapMs).toISOString();
    return [{ ...record, hash, previous: { hash: record.hash, until } }, { previousUntil: until }];
  });

/** @throws LamplightError `CLI__USAGE` */
export const disableRecord = (
  records: readonly KeyRecord[],
  { name, isDisabled }: { readonly name: string; readonly isDisabled: boolean },
  context: ChangeContext,
): KeyChange =>
  changeRecord(records, name, isDisabled ? "disable" : "enable", context, (record) => [
    { ...record, disabled: isDisabled ? (record.disabled ?? context.now.toISOString()) : null },
    {},
  ]);

/** @throws LamplightError `CLI__USAGE` */
export const limitRecord = (
  records: readonly KeyRecord[],
  { name, limits }: { readonly name: string; readonly limits: Partial<KeyLimits> },
  context: ChangeContext,
): KeyChange =>
  changeRecord(records, name, "limit", context, (record) => [
    { ...record, limits: { ...record.limits, ...limits } },
    limits,
  ]);

/** @throws LamplightError `CLI__USAGE` for a name that no key has */
export const findRecord = (records: readonly KeyRecord[], name: string): KeyRecord => {
  const found = records.find((record) => record.name === name);
  // The word may be the key itself, so it is not repeated.
  if (found === undefined)
    throw usageError("there is no key of this name; lamplight keys list shows the names");
  return found;
};

const changeRecord = (
  records: readonly KeyRecord[],
  name: string,
  action: AuditLine["action"],
  context: ChangeContext,
  change: (record: KeyRecord) => readonly [KeyRecord, AuditLine["set"]],
): KeyChange => {
  const record = findRecord(records, name);
  const [changed, set] = change(record);
  return {
    records: records.map((one) => (one === record ? changed : one)),
    audit: auditOf(action, name, context, set),
  };
};

const auditOf = (
  action: AuditLine["action"],
  key: string,
  { now, by }: ChangeContext,
  set: AuditLine["set"],
): AuditLine => ({ at: now.toISOString(), action, key, by, set: given(set) });

/** Leaves the members out that are null. */
const given = (set: AuditLine["set"]): AuditLine["set"] =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null));
