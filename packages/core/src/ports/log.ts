/** A structured log. Never log a request path or a header: both can hold an API key. */
export interface Log {
  /** Logs a normal event. `fields` become members of the line. */
  info(fields: object, message: string): void;
  /** Logs an event that an operator should know, and the process handles. */
  warn(fields: object, message: string): void;
  /** Logs an event that an operator must act on. */
  error(fields: object, message: string): void;
}
