import {
  type CallContext,
  type Commitment,
  type MaybePromise,
  type MethodSettings,
  type Opening,
  type Profile,
  type ViewSource,
  type ReadView,
  RequestViews,
  type UnfinishedAnswers,
} from "@lamplight/core";

import type { CallHolder } from "../shared-bound.ts";
import type { ViewShares } from "./view-shares.ts";

/** What the calls of one HTTP request share. */
export class RequestContext implements CallContext, ViewSource {
  readonly views: RequestViews;
  readonly profile: Profile;
  readonly settings: MethodSettings;
  /** Where the caller reached us, ending in its key: the server address in an answer to rpc.discover. */
  readonly endpoint: () => string;
  /** Whether rpc.discover has been answered: the contract is large, and the same for every call of a batch. */
  isDescribed = false;
  /** Set before the first call. */
  isBatch = false;
  readonly holder: CallHolder;
  readonly unfinished: UnfinishedAnswers;
  readonly #shares: ViewShares;
  /** Places among the read views that this request holds. */
  #places = 0;
  #hasNamedReads = false;
  #isClosed = false;

  constructor(
    shares: ViewShares,
    unfinished: UnfinishedAnswers,
    holder: CallHolder,
    profile: Profile,
    settings: MethodSettings,
    endpoint: () => string,
  ) {
    this.#shares = shares;
    this.unfinished = unfinished;
    this.holder = holder;
    this.views = new RequestViews(this);
    this.profile = profile;
    this.settings = settings;
    this.endpoint = endpoint;
  }

  get isAlone(): boolean {
    return !this.isBatch;
  }

  /** For `views`: a view in this key's share. */
  openView(commitment: Commitment, opening?: Opening): MaybePromise<ReadView> {
    // A call that named its reads opens a second view only after the first was not enough and was closed.
    if (this.#hasNamedReads) return this.#shares.openAgain(commitment);
    this.#hasNamedReads = opening !== undefined;
    return this.#shares.openView(this.holder, commitment, this, opening);
  }

  /** For `ViewShares`: this request holds one place more. */
  addPlace(): void {
    if (this.#isClosed) this.#shares.giveBack(this.holder, 1, this);
    else this.#places++;
  }

  /** For `ViewShares`: no view was opened in the place that was added last. */
  dropPlace(): void {
    if (this.#isClosed || this.#places === 0) return;
    this.#places--;
    this.#shares.giveBack(this.holder, 1, this);
  }

  cancel(): void {
    this.views.cancel();
  }

  /** Gives all views back, once the last call has settled. */
  close(): void {
    this.#isClosed = true;
    this.views.close();
    if (this.#places > 0) this.#shares.giveBack(this.holder, this.#places, this);
    this.#places = 0;
  }
}
