/** A structured log. Never log a request path or a header: both can hold an API key. */
export interface Log {
  /** What is normal. `fields` become members of the line. */
  info(fields: object, message: string): void;
  /** What an operator should know, and the process handles. */
  warn(fields: object, message: string): void;
  /** What an operator must act on. */
  error(fields: object, message: string): void;
}
