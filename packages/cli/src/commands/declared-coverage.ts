import type { Coverage } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { addressOf } from "../address-words.ts";

/** The coverage that a load adds to a store; null = nothing. */
export type Declaration = Coverage | null;

const sets = { program: "programs", owner: "owners", mint: "mints", collection: "collections" } as const;

/** A dump covers the addresses it holds. */
export const dumpCoverage: Coverage = {
  kind: "filtered",
  programs: [],
  owners: [],
  mints: [],
  collections: [],
  dumps: true,
};

/**
 * Reads `--covers` words: none (the addresses of the dump), `whole`, `nothing`, or any number of `program:ADDRESS`, `owner:ADDRESS`,
 * `mint:ADDRESS`, `collection:ADDRESS`.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const parseDeclaration = (words: readonly string[]): Declaration => {
  if (words.length === 0) return dumpCoverage;
  if (words.length === 1 && words[0] === "whole") return { kind: "whole" };
  if (words.length === 1 && words[0] === "nothing") return null;
  const alone = words.find((word) => word === "whole" || word === "nothing");
  if (alone !== undefined) {
    throw new LamplightError("CLI__USAGE", {
      reason: `--covers ${alone} must be the only --covers: leave out the others, or leave out ${alone}`,
    });
  }
  const found: Record<(typeof sets)[keyof typeof sets], string[]> = {
    programs: [],
    owners: [],
    mints: [],
    collections: [],
  };
  for (const word of words) {
    const [name = "", text = ""] = word.split(":", 2);
    const address = addressOf(text);
    if (!Object.hasOwn(sets, name) || address === null) {
      throw new LamplightError("CLI__USAGE", {
        reason: `--covers takes whole, nothing, or program:, owner:, mint: or collection: with an address; got ${JSON.stringify(word.slice(0, 64))}`,
      });
    }
    found[sets[name as keyof typeof sets]].push(address);
  }
  return { kind: "filtered", ...found };
};

/** The coverage of a store after a load: it still contains `known`, the coverage before. */
export const widenCoverage = (known: Coverage, declared: Declaration): Coverage => {
  if (declared === null || known.kind === "whole") return known;
  if (declared.kind === "whole") return declared;
  return {
    ...known,
    kind: "filtered",
    programs: union(known.programs, declared.programs),
    owners: union(known.owners, declared.owners),
    mints: union(known.mints, declared.mints),
    collections: union(known.collections, declared.collections),
    ...(declared.dumps === true ? { dumps: true } : {}),
  };
};

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];
