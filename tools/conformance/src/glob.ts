/**
 * Matches names against globs: `*` stands for anything within one part of the name, `**` for any number of parts,
 * `?` for one character, `{a,b}` for a choice. Several globs are separated by commas outside braces.
 */
export const compileGlobs = (globs: string): ((name: string) => boolean) => {
  const patterns = splitOutsideBraces(globs).map((glob) => new RegExp(`^${patternOf(glob)}$`, "su"));
  return (name) => patterns.some((pattern) => pattern.test(name));
};

const splitOutsideBraces = (text: string): string[] => {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "{") depth += 1;
    if (letter === "}") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
};

const patternOf = (glob: string): string => {
  let pattern = "";
  let depth = 0;
  for (let index = 0; index < glob.length; index += 1) {
    const letter = glob[index] ?? "";
    if (letter === "*" && glob[index + 1] === "*") {
      pattern += ".*";
      index += 1;
    } else if (letter === "*") pattern += "[^/]*";
    else if (letter === "?") pattern += "[^/]";
    else if (letter === "{") {
      pattern += "(?:";
      depth += 1;
    } else if (letter === "}" && depth > 0) {
      pattern += ")";
      depth -= 1;
    } else if (letter === "," && depth > 0) pattern += "|";
    else pattern += letter.replace(/[\\^$.+()[\]{}|]/u, "\\$&");
  }
  return pattern;
};
