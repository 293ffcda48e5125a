/** Openings after which a sentence has no subject of its own. */
const always = /^(?:Of|What|How|Which|Who|Whose|Why)\b/u;
/** Openings of a clause: the subject comes behind a comma, or never. */
const withoutClause =
  /^(?:As|At|After|Before|Beyond|Between|By|For|From|In|Never|Not|Over|Per|Since|So (?:few|many)|Through|To|Until|When|Where|While|With|Without)\b[^,;:]*$/u;

/** A sentence of a comment, and whether it begins without a subject. */
export interface CommentSentence {
  readonly text: string;
  readonly lacksSubject: boolean;
}

/** The sentences of the comments of a source, without tags, lists and code. */
export const sentencesIn = (source: string): readonly CommentSentence[] =>
  blocksOf(source)
    .flatMap((block) => paragraphsOf(block).flatMap(splitSentences))
    .map((text) => ({ text, lacksSubject: always.test(text) || withoutClause.test(text) }));

const blocksOf = (source: string): readonly string[] => {
  const blocks = Array.from(source.matchAll(/^[ \t]*\/\*\*?([\s\S]*?)\*\//gmu), ([, text]) =>
    text!.replaceAll(/^\s*\* ?/gmu, ""),
  );
  const lines = Array.from(source.matchAll(/(?:^[ \t]*\/\/ [^\n]*\n)+/gmu), ([text]) =>
    text.replaceAll(/^\s*\/\/ /gmu, ""),
  );
  return [...blocks, ...lines];
};

/** Text between empty lines, lists and tags; what a tag says begins with a lower-case word and is no sentence. */
const paragraphsOf = (block: string): readonly string[] =>
  block
    .replaceAll(/```[\s\S]*?```/gu, "\n\n")
    .split(/\n\s*\n|\n\s*(?=[@\-*|])/u)
    .filter((paragraph) => !/^\s*[@\-*|]/u.test(paragraph));

const splitSentences = (paragraph: string): readonly string[] =>
  paragraph
    .replaceAll(/\s+/gu, " ")
    .trim()
    .split(/(?<=[.?!;:]) (?=[A-Z`])/u)
    .filter((sentence) => sentence.length > 0);
