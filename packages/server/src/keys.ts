import { timingSafeEqual } from "node:crypto";

import { KeyAccount, type StoredKey } from "./gate/key-account.ts";
import { hashKey } from "./key-store/make-key.ts";

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
  /** Its limits, where it is of a key store; null for a key of the settings, which has none. */
  account: KeyAccount | null = null;
  #stored: Validity | null = null;
  readonly #addresses = new Set<string>();

  constructor(id: string) {
    this.id = id;
  }

  /** For logs and metrics: its name in the key store. Else the first digits of its SHA-256, which reveal nothing of a key that cannot be guessed. */
  get name(): string {
    return this.account?.name ?? this.id.slice(0, NAME_DIGITS);
  }

  /** Takes what the key store has of it from now on. */
  useStored(account: KeyAccount | null, validity: Validity | null): void {
    this.account = account;
    this.#stored = validity;
  }

  /** The reason why a key that is known may not call now, as a clause; null where it may. */
  whyRefused(): string | null {
    if (this.#stored === null) return null;
    const { isDisabled, isPrevious, untilMs } = this.#stored;
    if (isDisabled) return "it is disabled";
    if (untilMs === Infinity || Date.now() < untilMs) return null;
    return isPrevious ? "it was replaced by a new one" : "it has expired";
  }

  mayCall(): boolean {
    return !this.isRevoked && this.whyRefused() === null;
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

/** The time for which a key of a store is valid. */
interface Validity {
  readonly isDisabled: boolean;
  /** Whether a rotation has replaced it. */
  readonly isPrevious: boolean;
  /** Milliseconds since 1970; infinite where it does not expire. */
  readonly untilMs: number;
}

/**
 * The keys that may call. Only their SHA-256 is kept, and what a caller sends is hashed before it is compared, so the
 * time taken does not depend on how much of a guess is right, however many keys there are.
 */
export class KeyRing {
  #callers: ReadonlyMap<string, Entry> = new Map();
  #listed: readonly string[] = [];
  #stored: readonly StoredKey[] = [];

  constructor(keys: Iterable<string>) {
    this.replace(keys);
  }

  /** Takes these keys of the settings from now on. A key that stays keeps its caller, with what that holds. */
  replace(keys: Iterable<string>): void {
    this.#listed = Array.from(keys, hashKey);
    this.#build();
  }

  /** The same of the keys of a store. A key of the settings has no limits, in a store or not. */
  replaceStored(stored: readonly StoredKey[]): void {
    this.#stored = stored;
    this.#build();
  }

  #build(): void {
    const callers = new Map<string, Entry>();
    const add = (digest: string, account: KeyAccount | null, validity: Validity | null): void => {
      const caller = this.#findDigest(digest) ?? new Caller(digest);
      caller.useStored(account, validity);
      callers.set(digest.slice(0, BUCKET_DIGITS), { digest: Buffer.from(digest, "latin1"), caller });
    };
    for (const stored of this.#stored) {
      const { hash, expires, disabled, previous } = stored.record;
      const account = new KeyAccount(stored);
      const isDisabled = disabled !== null;
      const untilMs = expires === null ? Infinity : Date.parse(expires);
      if (previous !== null)
        add(previous.hash, account, {
          isDisabled,
          isPrevious: true,
          untilMs: Math.min(untilMs, Date.parse(previous.until)),
        });
      add(hash, account, { isDisabled, isPrevious: false, untilMs });
    }
    for (const digest of this.#listed) add(digest, null, null);
    const kept = new Set(Array.from(callers.values(), ({ caller }) => caller));
    for (const { caller } of this.#callers.values()) caller.isRevoked = !kept.has(caller);
    this.#callers = callers;
  }

  get size(): number {
    return this.#callers.size;
  }

  /** Null for a key that is not known. One that is may be refused: see `whyRefused`. */
  find(key: string): Caller | null {
    return this.#findDigest(hashKey(key));
  }

  #findDigest(digest: string): Caller | null {
    const entry = this.#callers.get(digest.slice(0, BUCKET_DIGITS));
    if (entry === undefined || !timingSafeEqual(entry.digest, Buffer.from(digest, "latin1"))) return null;
    return entry.caller;
  }
}

interface Entry {
  readonly digest: Buffer;
  readonly caller: Caller;
}
