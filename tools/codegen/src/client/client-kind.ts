import type { Contract, Schema } from "@lamplight/docs/build";

/** The client that code is generated for: of the main contract, or of one that adds to it. */
export interface ClientKind {
  /** Path from the generated files to the sources of the package. */
  readonly sources: string;
  /** Begins the names of its tables of methods. */
  readonly prefix: string;
  /** The main contract, whose types are used again; null for the client of that one. */
  readonly main: Contract | null;
}

/** The client of the main contract. */
export const mainClient: ClientKind = { sources: "../", prefix: "", main: null };

/** Schemas that are the same in the main contract, and have their types there. */
export const sharedNames = (contract: Contract, { main }: ClientKind): ReadonlySet<string> => {
  const known = main?.components.schemas ?? {};
  const isShared = ([name, schema]: readonly [string, Schema]): boolean =>
    JSON.stringify(known[name]) === JSON.stringify(schema);
  return new Set(
    Object.entries(contract.components.schemas)
      .filter(isShared)
      .map(([name]) => name),
  );
};

/** The types of the main client. */
export const mainTypes = ({ sources }: ClientKind): string => `${sources}generated/types.ts`;
