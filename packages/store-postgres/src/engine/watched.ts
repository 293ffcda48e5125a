/** The members of a session that a watch reads. */
export interface Watched {
  /** False after a failure. */
  readonly isUsable: boolean;
  /** Whether an answer of the server is due. */
  readonly isAtWork: boolean;
  /** Number of answers so far. */
  readonly answers: number;
  /** Sends an empty request as a sign of life. */
  beat(): void;
  /** Closes the connection at once. */
  abandon(): void;
}
