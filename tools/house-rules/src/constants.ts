/** A constant of a formatted source that stands outside of functions: its name and the first line of its value. */
const constant = /^(?:export )?const (?<name>\w+)(?:: [^=]+)? =(?: (?<value>.+))?$/u;
const capitals = /^[A-Z][A-Z\d_]*$/u;
/** A number, or a term of numbers and of other constants. */
const numbers = /^(?=.*\d)[-+*/%()<>& ]*(?:(?:\d[\w.]*|[A-Z][A-Z\d_]+)[-+*/%()<>& ]*)+;$/u;
const otherLiteral = /^(?:["'`/[{]|new )/u;

/** One sentence for each number that is not in capitals, and for each other literal that is. */
export const misnamedConstantsIn = (place: string, source: string): readonly string[] =>
  source.split("\n").flatMap((line, index, lines) => {
    const { name, value = lines[index + 1]?.trim() ?? "" } = constant.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    if (numbers.test(value) && !capitals.test(name))
      return [`${place}:${index + 1}: a number is in capitals: ${name}`];
    if (otherLiteral.test(value) && capitals.test(name))
      return [`${place}:${index + 1}: only a number is in capitals: ${name}`];
    return [];
  });
