/** Headers of every reply, as name and value in turn: the raw form costs Node the least. */
export const corsHeaders: readonly string[] = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  "X-Slot, X-Incomplete-Trees, Retry-After",
];

/** What a browser asks before it lets a page call us. */
export const preflightHeaders: readonly string[] = [
  ...corsHeaders,
  "Access-Control-Allow-Methods",
  "POST, GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers",
  "Content-Type, Content-Encoding, Accept, Solana-Client",
  // A page from the internet that calls a server on the visitor's own machine (the hosted playground).
  "Access-Control-Allow-Private-Network",
  "true",
  "Access-Control-Max-Age",
  "86400",
  "Allow",
  "POST, GET, HEAD, OPTIONS",
  // Caches between us and a browser must not answer a private-network preflight with another one's reply.
  "Vary",
  "Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network",
];

export const jsonContentType = "application/json; charset=utf-8";

/** `application/json` in any letter case, with or without parameters; a charset must be UTF-8. */
export const isJsonContentType = (value: string | undefined): boolean => {
  if (value === "application/json") return true;
  if (value === undefined || !/^application\/json\s*(?:;|$)/iu.test(value)) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/iu.exec(value)?.[1];
  return charset === undefined || /^utf-?8$/iu.test(charset);
};
