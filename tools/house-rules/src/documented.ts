/** An exported declaration of a source, or a public member of one. */
export interface Declared {
  /** `Name`, or `Name.member`. */
  readonly name: string;
  readonly line: number;
  readonly isDocumented: boolean;
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) (?<name>\w+)/u;
const member = /^ {2}(?:(?:readonly|static|abstract|declare|async|get|set) )*(?<name>\w+|"[^"]+")\??[:(<]/u;
/** Names that say all there is: a constructor is documented by its class. */
const selfEvident = new Set(["constructor", "name"]);

/**
 * Every exported declaration of a formatted source, with the members of its interfaces, classes and object types.
 * Private members, overrides and members of values do not count.
 */
export const declaredIn = (source: string): readonly Declared[] => {
  const lines = source.split("\n");
  const found: Declared[] = [];
  let owner: string | null = null;
  for (const [index, line] of lines.entries()) {
    const isDocumented = (lines[index - 1] ?? "").endsWith("*/");
    const name = declaration.exec(line)?.groups?.["name"];
    if (name !== undefined) {
      if (!/^export (?:async )?function/u.test(line) || !found.some((one) => one.name === name))
        found.push({ name, line: index + 1, isDocumented });
      owner =
        /^export (?:declare )?(?:abstract )?(?:class|interface) /u.test(line) ||
        /^export type .*[{(]$/u.test(line)
          ? name
          : null;
    } else if (/^\S/u.test(line) && line !== "" && !/^[)>|&]/u.test(line)) owner = null;
    const inner = owner === null ? undefined : member.exec(line)?.groups?.["name"];
    if (inner !== undefined && !selfEvident.has(inner))
      found.push({ name: `${owner}.${inner}`, line: index + 1, isDocumented });
  }
  return found;
};
