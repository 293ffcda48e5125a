import { findAddress } from "@lamplight/codecs";
import type { Coverage } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

/** What a load says of itself: nothing, or what the store holds once it is done. */
export type Declaration = Coverage | null;

const sets = { program: "programs", owner: "owners", mint: "mints", collection: "collections" } as const;

/**
 * Reads `--covers` words: `whole` (default), `nothing`, or any number of `program:ADDRESS`, `owner:ADDRESS`,
 * `mint:ADDRESS`, `collection:ADDRESS`.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const parseDeclaration = (words: readonly string[]): Declaration => {
  if (words.length === 0 || (words.length === 1 && words[0] === "whole")) return { kind: "whole" };
  if (words.length === 1 && words[0] === "nothing") return null;
  const found: Record<(typeof sets)[keyof typeof sets], string[]> = {
    programs: [],
    owners: [],
    mints: [],
    collections: [],
  };
  for (const word of words) {
    const [name = "", address = ""] = word.split(":", 2);
    if (!Object.hasOwn(sets, name) || findAddress(address) === null) {
      throw new LamplightError("CLI__USAGE", {
        reason: `--covers takes whole, nothing, or program:, owner:, mint: or collection: with an address; got ${JSON.stringify(word.slice(0, 64))}`,
      });
    }
    found[sets[name as keyof typeof sets]].push(address);
  }
  return { kind: "filtered", ...found };
};

/** What a store holds that held `known` before a load that declares `declared`. */
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
  };
};

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];
