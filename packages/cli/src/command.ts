/** One word of `lamplight WORD …`. Lives in its own file under `commands/`, and is listed in `registry.ts`. */
export interface Command {
  readonly name: string;
  /** One line for `lamplight --help`. */
  readonly summary: string;
  /** The arguments after the name, then an empty line and the options. */
  readonly usage: string;
  /**
   * @param args - what follows the name on the command line
   * @returns the exit code (`exitCodes` of the server package)
   * @throws LamplightError reported as one sentence; `CLI__USAGE` exits with 2, others with 1
   */
  run(args: readonly string[]): Promise<number>;
}
