const PRIME1 = 0x9e3779b1;
const PRIME2 = 0x85ebca77;
const PRIME3 = 0xc2b2ae3d;
const PRIME4 = 0x27d4eb2f;
const PRIME5 = 0x165667b1;
const STRIPE_BYTES = 16;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** The checksum of LZ4 frames, with seed 0, fed piece by piece. */
export class XxHash32 {
  readonly #lanes = Int32Array.of((PRIME1 + PRIME2) | 0, PRIME2 | 0, 0, -PRIME1 | 0);
  readonly #held = Buffer.alloc(STRIPE_BYTES);
  #heldBytes = 0;
  #length = 0;

  update(bytes: Buffer): void {
    this.#length += bytes.length;
    let from = 0;
    if (this.#heldBytes > 0) {
      from = bytes.copy(this.#held, this.#heldBytes, 0, STRIPE_BYTES - this.#heldBytes);
      this.#heldBytes += from;
      if (this.#heldBytes < STRIPE_BYTES) return;
      this.#stripe(this.#held, 0);
    }
    for (; from + STRIPE_BYTES <= bytes.length; from += STRIPE_BYTES) this.#stripe(bytes, from);
    this.#heldBytes = bytes.copy(this.#held, 0, from);
  }

  /** 0 to 2^32 - 1. */
  digest(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#lanes;
    let hash =
      this.#length >= STRIPE_BYTES ? rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18) : PRIME5;
    hash = (hash + this.#length) | 0;
    let from = 0;
    for (; from + 4 <= this.#heldBytes; from += 4) {
      hash = (hash + Math.imul(this.#held.readUInt32LE(from), PRIME3)) | 0;
      hash = Math.imul(rotate(hash, 17), PRIME4);
    }
    for (; from < this.#heldBytes; from += 1) {
      hash = (hash + Math.imul(this.#held[from] as number, PRIME5)) | 0;
      hash = Math.imul(rotate(hash, 11), PRIME1);
    }
    hash = Math.imul(hash ^ (hash >>> 15), PRIME2);
    hash = Math.imul(hash ^ (hash >>> 13), PRIME3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  #stripe(bytes: Buffer, at: number): void {
    for (let lane = 0; lane < 4; lane += 1) {
      const sum = (this.#lanes[lane] as number) + Math.imul(bytes.readInt32LE(at + 4 * lane), PRIME2);
      this.#lanes[lane] = Math.imul(rotate(sum | 0, 13), PRIME1);
    }
  }
}

export const xxHash32 = (bytes: Buffer): number => {
  const hash = new XxHash32();
  hash.update(bytes);
  return hash.digest();
};
