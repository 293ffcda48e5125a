// The package brings no types, and those of others know an older one.
declare module "pg-copy-streams" {
  import type { Submittable } from "pg";
  import type { Writable } from "node:stream";

  export interface CopyFromStream extends Writable, Submittable {
    readonly rowCount: number;
  }
  export const from: (sql: string) => CopyFromStream;
}
