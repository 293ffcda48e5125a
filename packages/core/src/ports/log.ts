/** A structured log. Never give it a request path or a header: paths carry keys. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
