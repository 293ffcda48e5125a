import type { Profile } from "./call-context.ts";

// The two answers in which the profiles differ, and nothing else: Solana client libraries break on the spec's forms.

/** `value: null` inside a context for Solana clients; a bare null by the spec. */
export const shapeMissingAccount = (profile: Profile, contextText: string): string =>
  profile === "agave" ? `{"context":${contextText},"value":null}` : "null";

/** The encoding when a call names none: the bare base58 string of old for Solana clients, base64 by the spec. */
export const defaultEncoding = (profile: Profile): "binary" | "base64" =>
  profile === "agave" ? "binary" : "base64";
