import { LamplightError } from "@lamplight/errors";

/** Where a server was to listen, and the settings that choose another place. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** Names of the settings, as in `--port or LAMPLIGHT_PORT`. */
  readonly portSettings: string;
}

/** Words for the error of a server's `listen`. */
export const toListenError = (error: NodeJS.ErrnoException, place: ListenPlace): LamplightError => {
  if (error.code === "EADDRINUSE") {
    return new LamplightError("SERVER__PORT_IN_USE", place, { cause: error });
  }
  const { host, port } = place;
  const reason = reasonOf(error, place);
  return new LamplightError("SERVER__CANNOT_LISTEN", { host, port, reason }, { cause: error });
};

const reasonOf = (error: NodeJS.ErrnoException, { portSettings }: ListenPlace): string => {
  switch (error.code) {
    case "EACCES":
      return `not permitted; ports below 1024 need privileges, choose another with ${portSettings}`;
    case "EADDRNOTAVAIL":
      return "this machine has no such address; 127.0.0.1 is this machine only, 0.0.0.0 all its addresses";
    case "ENOTFOUND":
      return "the host name is not known; name an address of this machine";
    default:
      return error.code ?? error.message;
  }
};
