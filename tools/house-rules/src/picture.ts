/** The imports that each package may have at run time, by package. */
export type Picture = ReadonlyMap<string, Rule>;

export interface Rule {
  readonly may: ReadonlySet<string>;
  /** Whether every package in `may` is really imported; not where the picture draws "everything". */
  readonly isExact: boolean;
  /** Files that wire things together, and what they bring beyond the rest of their package. */
  readonly entry?: EntryRule;
}

export interface EntryRule {
  /** Tested against the path below `src`: a folder, or files of one. */
  readonly paths: RegExp;
  readonly may: ReadonlySet<string>;
}

const entries: { readonly [name: string]: EntryRule } = {
  server: {
    paths: /^(command\/|config\/|main\.ts$)/,
    may: new Set(["runtime", "docs"]),
  },
  client: { paths: /^(das\/)?in-process[\w-]*\.ts$/, may: new Set(["core", "das"]) },
};

/** Reads the picture of ARCHITECTURE.md: one line a package, what it imports behind the arrow. */
export const readPicture = (text: string): Picture => {
  const lines = [...text.matchAll(/^ ([a-z][a-z-]*) .*?(?:► (.+)|imports nothing)$/gm)];
  const names = lines.map((line) => line[1]!);
  const may = (list: string | undefined, name: string): readonly string[] => {
    if (list === undefined) return [];
    return list === "everything" ? names.filter((other) => other !== name) : list.split(", ");
  };
  return new Map(
    lines.map(([, name, list]) => [
      name!,
      {
        may: new Set(may(list, name!)),
        isExact: list !== "everything",
        ...(entries[name!] && { entry: entries[name!]! }),
      },
    ]),
  );
};
