import { hash } from "node:crypto";

const FAN_OUT = 16;
const HASH_BYTES = 32;

interface Height {
  readonly bytes: Buffer;
  /** Hashes that wait until their group is full. */
  count: number;
  /** Number of hashes at this height. */
  total: number;
}

/** The accounts hash of the merkle era. It receives the hashes of living accounts in the order of their addresses. */
export class MerkleRoot {
  readonly #heights: Height[] = [];

  add(accountHash: Uint8Array): void {
    this.#push(0, accountHash);
  }

  /** Without accounts, the root is the hash of an empty input. */
  root(): Uint8Array {
    if (this.#heights.length === 0) return hash("sha256", Buffer.alloc(0), "buffer");
    for (let height = 0; ; height += 1) {
      const level = this.#heights[height] as Height;
      const isTop = height === this.#heights.length - 1;
      // The root is always a hash over a group, so a single account's hash is hashed once more.
      if (isTop && height > 0 && level.total === 1) return level.bytes.subarray(0, HASH_BYTES);
      if (level.count > 0) this.#close(height);
    }
  }

  #push(height: number, value: Uint8Array): void {
    const level = (this.#heights[height] ??= {
      bytes: Buffer.alloc(FAN_OUT * HASH_BYTES),
      count: 0,
      total: 0,
    });
    level.bytes.set(value, level.count * HASH_BYTES);
    level.count += 1;
    level.total += 1;
    if (level.count === FAN_OUT) this.#close(height);
  }

  #close(height: number): void {
    const level = this.#heights[height] as Height;
    const group = level.bytes.subarray(0, level.count * HASH_BYTES);
    level.count = 0;
    this.#push(height + 1, hash("sha256", group, "buffer"));
  }
}
