/** A fault in the bytes of an archive. Callers that know its place and name turn it into an error of the registry. */
export class ArchiveFault extends Error {
  override readonly name = "ArchiveFault";
  /** `damaged`: the bytes are broken. `refused`: they are valid, but this reader does not support them. */
  readonly kind: "damaged" | "refused";
  /** Within the entry; null when not known. */
  readonly offset: number | null;

  constructor(kind: "damaged" | "refused", reason: string, offset: number | null = null) {
    super(reason);
    this.kind = kind;
    this.offset = offset;
  }
}

export const damaged = (reason: string, offset: number | null = null): ArchiveFault =>
  new ArchiveFault("damaged", reason, offset);

export const refused = (reason: string): ArchiveFault => new ArchiveFault("refused", reason);
