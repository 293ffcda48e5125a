/** A copy of ASCII text that is kept for long: V8 would keep all of the URL or header that it was cut from. */
export const ownText = (text: string): string => Buffer.from(text, "latin1").toString("latin1");
