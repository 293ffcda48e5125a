import { ClientError } from "./client-error.ts";

/** No answer arrived: no connection, or it was lost. `cause` is what `fetch` threw, `hint` says what to check. */
export class NetworkError extends ClientError {
  override readonly name = "NetworkError";
  /** Whether the connection was lost. False where there never was one: a wrong port or host, a server that is down. */
  declare readonly isDropped: boolean;
}
