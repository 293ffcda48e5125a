import { BLOCK_BITS, BLOCK_SIZE, type Container, fromWords } from "./container.ts";
import { OrdinalSet } from "./ordinal-set.ts";
import { sliceBounds, type Slices } from "../slices.ts";

/** Puts lists of ordinals together, which may have members in common. */
export class SetBuilder {
  /** Bits by block. */
  readonly #blocks: (Uint32Array | undefined)[] = [];

  /** @param ordinals - ascending */
  *add(ordinals: Uint32Array): Slices {
    for (const [from, to] of sliceBounds(ordinals.length)) {
      for (let at = from; at < to; at++) this.#add(ordinals[at]!);
      yield;
    }
  }

  /** The set takes the memory of the builder, which is empty from then on. */
  *build(): Slices<OrdinalSet> {
    const blocks: (Container | undefined)[] = [];
    const taken = this.#blocks.splice(0);
    for (let index = 0; index < taken.length; index++) {
      const words = taken[index];
      blocks.push(words && (fromWords(words) ?? undefined));
      yield;
    }
    return OrdinalSet.fromBlocks(blocks);
  }

  #add(ordinal: number): void {
    const index = ordinal >>> BLOCK_BITS;
    const words = (this.#blocks[index] ??= new Uint32Array(BLOCK_SIZE / 32));
    words[(ordinal >>> 5) & (BLOCK_SIZE / 32 - 1)]! |= 1 << (ordinal & 31);
  }
}
