import type { Commitment, Opening, ReadView, Slot, UnfinalizedReader, ViewSource } from "@lamplight/core";
import type { Session } from "../engine/session.ts";
import type { TransactionView } from "./postgres-view.ts";

export interface PostgresReader extends ViewSource, UnfinalizedReader {
  /** The servers that the URL names; none for a URL of one server. */
  servers(): readonly ServerReport[];
  openView(commitment: Commitment): Promise<TransactionView>;
  openView(commitment: Commitment, opening?: Opening): Promise<ReadView>;
  /** Reads one snapshot in a session that no view can hold, so it never waits for a request. */
  readBesideViews<Result>(body: (session: Session) => Promise<Result>): Promise<Result>;
  /** Closes idle sessions now, and the others with their views. */
  close(): void;
}

/** The reader of one server. */
export interface ServerReader extends PostgresReader {
  /** Closes it, and fails all that is read from it. */
  abandon(): void;
}

/** A server for readiness and logs. */
export interface ServerReport {
  /** `HOST:PORT`. */
  readonly server: string;
  /** Null while it cannot be reached. */
  readonly role: "primary" | "standby" | null;
  /** Newest finalized slot that it reported. */
  readonly slot: Slot | null;
  /** `read` = by this process; `other role` = the URL's `target_session_attrs` excludes it. */
  readonly state: "read" | "ready" | "behind" | "other role" | "unreachable";
}
