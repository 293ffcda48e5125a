const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;
const stripeBytes = 16;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** The checksum of LZ4 frames, with seed 0, fed piece by piece. */
export class XxHash32 {
  readonly #lanes = Int32Array.of((prime1 + prime2) | 0, prime2 | 0, 0, -prime1 | 0);
  readonly #held = Buffer.alloc(stripeBytes);
  #heldBytes = 0;
  #length = 0;

  update(bytes: Buffer): void {
    this.#length += bytes.length;
    let from = 0;
    if (this.#heldBytes > 0) {
      from = bytes.copy(this.#held, this.#heldBytes, 0, stripeBytes - this.#heldBytes);
      this.#heldBytes += from;
      if (this.#heldBytes < stripeBytes) return;
      this.#stripe(this.#held, 0);
    }
    for (; from + stripeBytes <= bytes.length; from += stripeBytes) this.#stripe(bytes, from);
    this.#heldBytes = bytes.copy(this.#held, 0, from);
  }

  /** 0 to 2^32 - 1. */
  digest(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#lanes;
    let hash =
      this.#length >= stripeBytes ? rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18) : prime5;
    hash = (hash + this.#length) | 0;
    let from = 0;
    for (; from + 4 <= this.#heldBytes; from += 4) {
      hash = (hash + Math.imul(this.#held.readUInt32LE(from), prime3)) | 0;
      hash = Math.imul(rotate(hash, 17), prime4);
    }
    for (; from < this.#heldBytes; from += 1) {
      hash = (hash + Math.imul(this.#held[from] as number, prime5)) | 0;
      hash = Math.imul(rotate(hash, 11), prime1);
    }
    hash = Math.imul(hash ^ (hash >>> 15), prime2);
    hash = Math.imul(hash ^ (hash >>> 13), prime3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  #stripe(bytes: Buffer, at: number): void {
    for (let lane = 0; lane < 4; lane += 1) {
      const sum = (this.#lanes[lane] as number) + Math.imul(bytes.readInt32LE(at + 4 * lane), prime2);
      this.#lanes[lane] = Math.imul(rotate(sum | 0, 13), prime1);
    }
  }
}

export const xxHash32 = (bytes: Buffer): number => {
  const hash = new XxHash32();
  hash.update(bytes);
  return hash.digest();
};
