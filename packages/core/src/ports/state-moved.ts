/**
 * A view without a snapshot throws it where the store was written between two of its rounds. The call starts again on a
 * newer view, which holds one.
 */
export class StateMoved extends Error {
  constructor() {
    super("the store was written between two reads of one call");
    this.name = "StateMoved";
  }
}
