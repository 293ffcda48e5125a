/**
 * A view that holds no snapshot throws this where it cannot go on without one: the store was written between two of its
 * rounds, one statement is not enough, or its session was lost. The call starts again on a view that holds one.
 */
export class NeedsSnapshot extends Error {
  constructor() {
    super("the view cannot go on without a snapshot");
    this.name = "NeedsSnapshot";
  }
}
