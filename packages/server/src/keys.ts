import { hash, timingSafeEqual } from "node:crypto";

/** What a key may look like: it stands in a URL path as it is, so nothing that would need escaping. */
export const keyPattern = /^[A-Za-z0-9._~-]{1,128}$/u;

/** Digits of a digest that pick the one candidate to compare with; they say nothing about the key itself. */
const BUCKET_DIGITS = 16;

/**
 * The keys that may call. Only their SHA-256 is kept, and what a caller sends is hashed before it is compared, so the
 * time taken tells nothing about how much of a guess is right, however many keys there are.
 */
export class KeyRing {
  readonly #digests = new Map<string, Buffer>();

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      const digest = hash("sha256", key, "hex");
      this.#digests.set(digest.slice(0, BUCKET_DIGITS), Buffer.from(digest, "latin1"));
    }
  }

  has(key: string): boolean {
    const digest = hash("sha256", key, "hex");
    const candidate = this.#digests.get(digest.slice(0, BUCKET_DIGITS));
    return candidate !== undefined && timingSafeEqual(candidate, Buffer.from(digest, "latin1"));
  }
}

/**
 * Remembers which key each connection has shown, so that the calls after the first cost no hash. The comparison here
 * may be a plain one: whoever sends on this connection has already shown that very key.
 */
export class ConnectionKeys {
  readonly #ring: KeyRing;
  readonly #shown = new WeakMap<object, string>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  has(connection: object, key: string): boolean {
    if (this.#shown.get(connection) === key) return true;
    if (!this.#ring.has(key)) return false;
    this.#shown.set(connection, key);
    return true;
  }
}
