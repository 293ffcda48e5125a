/** A statement that every session prepares under a name when it first needs it. */
export interface Statement {
  /** Null for one made for a single use: it is not kept prepared. */
  readonly name: string | null;
  readonly text: string;
}

const registered: Statement[] = [];

/** A module calls it once per statement, when it is loaded. */
export const statement = (text: string): Statement => {
  const made = { name: `lamplight_${registered.length}`, text };
  registered.push(made);
  return made;
};

/** A statement whose text depends on the request. */
export const passingStatement = (text: string): Statement => ({ name: null, text });

/** Every named statement of the modules read so far. */
export const registeredStatements = (): readonly Statement[] => registered;
