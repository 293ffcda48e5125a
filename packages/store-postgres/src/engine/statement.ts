/** A statement that every session prepares under a name when it first needs it. */
export interface Statement {
  /** Null for one made for a single use: it is not kept prepared. */
  readonly name: string | null;
  readonly text: string;
  /**
   * The same for tables that Citus places on one node: it reads one of them. Citus passes such a statement on as a whole,
   * and moves the rows of others around.
   */
  readonly placedText?: string;
}

const registered: Statement[] = [];

/** A module calls it once per statement, when it is loaded. */
export const statement = (text: string, placedText: string = text): Statement => {
  const made = { name: `lamplight_${registered.length}`, text, placedText };
  registered.push(made);
  return made;
};

/**
 * Makes a statement on the catalog of Citus. It is not registered, because other databases do not have that catalog.
 *
 * @param name - of its own
 */
export const catalogStatement = (name: string, text: string): Statement => ({
  name: `lamplight_catalog_${name}`,
  text,
});

/** A statement whose text depends on the request. */
export const passingStatement = (text: string): Statement => ({ name: null, text });

/** Every named statement of the modules read so far. */
export const registeredStatements = (): readonly Statement[] => registered;
