import { sameBytes } from "@lamplight/codecs";

/** The path of a leaf, lowest first: it gives the root of its tree. */
export interface ProvedPath {
  /** The leaf, and the nodes above it that were hashed. */
  readonly hashed: readonly Uint8Array[];
  /** The node next to each of them. */
  readonly beside: readonly Uint8Array[];
}

/** Paths of one tree at one slot that gave its root. The paths of other leaves of the tree end as these do. */
export class ProvedPaths {
  /** The last path that goes through each node, by its level and its number there. */
  readonly #paths: Map<number, ProvedPath>[] = [];

  add(leafIndex: number, path: ProvedPath): void {
    for (let level = 0; level < path.hashed.length; level += 1)
      (this.#paths[level] ??= new Map()).set(leafIndex >>> level, path);
  }

  /** A path through a node with this hash, which every leaf below shares from there on. Undefined where none is known. */
  through(level: number, place: number, hash: Uint8Array): ProvedPath | undefined {
    const known = this.#paths[level]?.get(place);
    return known !== undefined && sameBytes(known.hashed[level]!, hash) ? known : undefined;
  }
}
