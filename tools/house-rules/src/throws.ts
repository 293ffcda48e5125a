/**
 * Classes that name no cause and carry no values. Sources throw errors of the registry, or a class of their own where
 * the same package catches it. The client throws `TypeError` for options that no client can be made of.
 */
const untyped = /\bthrow new (?:Error|RangeError|EvalError)\(/u;

/** One sentence for each throw of a class without a meaning; comments do not count. */
export const untypedThrowsIn = (place: string, source: string): readonly string[] =>
  source
    .split("\n")
    .flatMap((line, index) =>
      untyped.test(line) && !/^\s*(?:\/\/|\/?\*)/u.test(line)
        ? [`${place}:${index + 1}: use LamplightError, usageError or brokenInvariant: ${line.trim()}`]
        : [],
    );
