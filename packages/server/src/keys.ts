import { hash, timingSafeEqual } from "node:crypto";

/** Characters of a key. It is part of a URL path, so it has none that must be escaped. */
export const keyPattern = /^[A-Za-z0-9._~-]{1,128}$/u;

/** Characters of a key that can be guessed at over a network: anything but loopback. */
export const KEY_CHARS_MIN = 16;

/** The first key that is too short for a network; -1 where there is none. A public key is no secret, and may be short. */
export const findWeakKey = (keys: readonly string[], publicKey: string | null): number =>
  keys.findIndex((key) => key.length < KEY_CHARS_MIN && key !== publicKey);

/** Digits of a digest that pick the one candidate to compare with; they reveal nothing about the key itself. */
const BUCKET_DIGITS = 16;

/** Addresses remembered for one key; beyond it the oldest is forgotten. */
const ADDRESSES_MAX = 1000;

/** Digits of the name of a key: enough to distinguish the keys of one server. */
const NAME_DIGITS = 8;

/** The owner of one key. */
export class Caller {
  /** The same in all workers; no part of the key. */
  readonly id: string;
  /** The key may not call any more. */
  isRevoked = false;
  readonly #addresses = new Set<string>();

  constructor(id: string) {
    this.id = id;
  }

  /** For logs and metrics: the first digits of the key's SHA-256, which reveal nothing of a key that cannot be guessed. */
  get name(): string {
    return this.id.slice(0, NAME_DIGITS);
  }

  /** Whether the key was right in a call from this address. */
  isUsedFrom(address: string): boolean {
    return this.#addresses.has(address);
  }

  noteUse(address: string): void {
    this.#addresses.add(address);
    if (this.#addresses.size > ADDRESSES_MAX) this.#addresses.delete(this.#addresses.values().next().value!);
  }
}

/**
 * The keys that may call. Only their SHA-256 is kept, and what a caller sends is hashed before it is compared, so the
 * time taken does not depend on how much of a guess is right, however many keys there are.
 */
export class KeyRing {
  #callers: ReadonlyMap<string, { readonly digest: Buffer; readonly caller: Caller }> = new Map();

  constructor(keys: Iterable<string>) {
    this.replace(keys);
  }

  /** Takes these keys from now on. A key that stays keeps its caller, with what that holds. */
  replace(keys: Iterable<string>): void {
    const callers = new Map<string, { readonly digest: Buffer; readonly caller: Caller }>();
    for (const key of keys) {
      const digest = hash("sha256", key, "hex");
      const caller = this.find(key) ?? new Caller(digest);
      callers.set(digest.slice(0, BUCKET_DIGITS), { digest: Buffer.from(digest, "latin1"), caller });
    }
    const kept = new Set(Array.from(callers.values(), ({ caller }) => caller));
    for (const { caller } of this.#callers.values()) caller.isRevoked = !kept.has(caller);
    this.#callers = callers;
  }

  get size(): number {
    return this.#callers.size;
  }

  /** Null for a key that may not call. */
  find(key: string): Caller | null {
    const digest = hash("sha256", key, "hex");
    const entry = this.#callers.get(digest.slice(0, BUCKET_DIGITS));
    if (entry === undefined || !timingSafeEqual(entry.digest, Buffer.from(digest, "latin1"))) return null;
    return entry.caller;
  }
}
