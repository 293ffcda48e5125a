/**
 * Words with a private meaning, each with the word that readers know. They must not occur in text that people see:
 * READMEs, help, log lines, error messages and the contract.
 */
export const privateWords: readonly { readonly not: RegExp; readonly but: string }[] = [
  { not: /\b(?:told|tells?|telling)\b/iu, but: "reported, reports; received" },
  { not: /\bholes?\b/iu, but: "gap" },
  { not: /\b(?:taken|takes?|taking) back\b|\brewinds?\b/iu, but: "rolled back" },
  { not: /\bcensus\b/iu, but: "full rescan" },
  { not: /\b(?:un)?rooted\b/iu, but: "finalized" },
  { not: /\banew\b/iu, but: "again, from scratch" },
  { not: /\b(?:whoever|nobody|somebody)\b/iu, but: "the caller, the reader, no reader" },
  { not: /\b(?:wants|wanted)\b/iu, but: "needs, required" },
  { not: /\b(?:stands|stood) (?:on|at|in|upon)\b/iu, but: "is a child of, is at" },
  { not: /\bbeside\b/iu, but: "next to, in parallel with" },
  { not: /\b(?:speaks?|spoken)\b/iu, but: "describes, records" },
  { not: /\bhusks?\b/iu, but: "emptied account" },
  { not: /\bstorms?\b/iu, but: "chaos test" },
  { not: /\bbridged?\b/iu, but: "merged into one slot" },
  { not: /\bbegun\b/iu, but: "created, started" },
  { not: /\bin step\b/iu, but: "in sync" },
  { not: /\bwhole slots?\b/iu, but: "complete slot" },
];

/** Words that a comment says more plainly. In a README they may occur: it has other readers, and a person reviews it. */
const commentWords: typeof privateWords = [
  ...privateWords,
  { not: /\bwhatever\b/iu, but: "any, regardless of" },
  { not: /\bmeanwhile\b/iu, but: "in the meantime, until then" },
  { not: /\bthereof\b|\bbe it\b/iu, but: "of it, whether" },
  { not: /\bheld against\b/iu, but: "compared with" },
  { not: /\bput(?:s|ting)? back\b/iu, but: "restored" },
  { not: /\b(?:are|is|was|were) passed over\b/iu, but: "ignored, skipped" },
  { not: /\blook(?:s|ed)? at\b/iu, but: "read, check, poll" },
  { not: /\bat hand\b/iu, but: "known, current" },
  { not: /\bfor people\b/iu, but: "as text" },
  { not: /\bin the midst\b/iu, but: "during" },
  { not: /\breported apart\b/iu, but: "distinguished" },
  { not: /\bg(?:o|oes|one) on from\b/iu, but: "continue from" },
  { not: /\btaken for\b/iu, but: "counted as" },
];

/** Names in code that mean something else in this field. SQL keeps `unrooted_slot`: stores have it on disk. */
const privateNames: typeof privateWords = [
  { not: /\b[a-z]*(?:R|r|unr|Unr)ooted(?:[A-Z]\w*)?\b/u, but: "finalized, unfinalized" },
  { not: /\b\w*(?:s|S)takeHold\w*\b/u, but: "nonCirculatingStake" },
  { not: /\b\w*[bB]egun\b/u, but: "created, createdBank" },
  { not: /\breadable: \w*Readable\b/u, but: "viewSource: ViewSource" },
];

/** One sentence for each private word in a text; `place` names the text. */
export const privateWordsIn = (place: string, text: string): readonly string[] =>
  found(privateWords, place, text);

/** The same for comments, of which `commentsOf` gives the text. */
export const privateWordsInComments = (place: string, source: string): readonly string[] =>
  found(commentWords, place, commentsOf(source));

/** The same for names in code. */
export const privateNamesIn = (place: string, source: string): readonly string[] =>
  found(privateNames, place, source);

const found = (words: typeof privateWords, place: string, text: string): readonly string[] =>
  text.split("\n").flatMap((line, index) =>
    words.flatMap(({ not, but }) => {
      const word = not.exec(line)?.[0];
      return word === undefined ? [] : [`${place}:${index + 1}: "${word}"; use ${but}: ${line.trim()}`];
    }),
  );

/** The string literals of a source file that are phrases; every other character becomes a space, so that lines stay. */
export const phrasesOf = (source: string): string => {
  const code = source.replaceAll(/^[ \t]*(?:\/\/|\/?\*).*$/gmu, "");
  let text = "";
  let at = 0;
  for (const { 0: literal, index } of code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gu)) {
    text += blank(code.slice(at, index));
    const phrase = literal.replaceAll(/\$\{[^}]*\}/gu, (value) => blank(value));
    text += phrase.includes(" ") ? phrase : blank(literal);
    at = index + literal.length;
  }
  return text;
};

/** Lines of a source that are comments, without what they quote as code; every other line becomes empty. */
const commentsOf = (source: string): string =>
  source
    .split("\n")
    .map((line) => (/^[ \t]*(?:\/\/|\/?\*)/u.test(line) ? line.replaceAll(/`[^`]*`|@param \w+/gu, "") : ""))
    .join("\n");

const blank = (text: string): string => text.replaceAll(/[^\n]/gu, " ");

/** Every `summary`, `description` and `meaning` of the contract, one a line. */
export const contractProse = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => contractProse(item));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "string" && /^(?:summary|description|meaning)$/u.test(name)
      ? [member.replaceAll("\n", " ")]
      : contractProse(member),
  );
};

const BULLET_WORDS_MAX = 35;
const SECTION_LINES_MAX = 20;

/** Bullets of a README that are too long to read at a glance. */
export const longBulletsIn = (place: string, text: string): readonly string[] =>
  [...text.matchAll(/^ *- (?<bullet>.*(?:\n {2,}(?!- ).*)*)/gmu)].flatMap(({ groups }) => {
    const words = groups!["bullet"]!.trim().split(/\s+/u).length;
    return words > BULLET_WORDS_MAX ? [`${place}: ${words} words: ${groups!["bullet"]!.slice(0, 60)}`] : [];
  });

/** Sections (from one heading to the next) with too many lines. */
export const longSectionsIn = (place: string, text: string): readonly string[] =>
  text
    .split(/^(?=#{1,4} )/mu)
    .map((section) => section.trimEnd().split("\n"))
    .filter((lines) => lines.length > SECTION_LINES_MAX)
    .map((lines) => `${place}: ${lines.length} lines: ${lines[0]}`);
