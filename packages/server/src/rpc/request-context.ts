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
  NeedsSnapshot,
  type UnfinishedAnswers,
} from "@lamplight/core";

import type { Admission } from "../gate/admission.ts";
import type { RequestRecord } from "../observe/request-record.ts";

/** The state that the calls of one HTTP request share. */
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
  readonly admission: Admission;
  /** Null where nothing observes the request. */
  readonly record: RequestRecord | null;
  readonly #viewSource: ViewSource;
  #hasNamedReads = false;

  constructor(
    viewSource: ViewSource,
    admission: Admission,
    profile: Profile,
    settings: MethodSettings,
    endpoint: () => string,
    record: RequestRecord | null,
  ) {
    this.#viewSource = viewSource;
    this.admission = admission;
    this.views = new RequestViews(this);
    this.profile = profile;
    this.settings = settings;
    this.endpoint = endpoint;
    this.record = record;
    if (record !== null) record.views = this.views;
  }

  get isAlone(): boolean {
    return !this.isBatch;
  }

  get unfinished(): UnfinishedAnswers {
    return this.admission;
  }

  /** For `views`: a view in this request's own place. */
  openView(commitment: Commitment, opening?: Opening): MaybePromise<ReadView> {
    // A restart: the place of the first view, which was closed, is still held.
    if (this.#hasNamedReads) return this.#viewSource.openView(commitment);
    this.#hasNamedReads = opening !== undefined;
    const place = this.admission.usePlace();
    if (place instanceof Promise) return this.#openLater(place, commitment, opening);
    return this.#openInPlace(commitment, opening);
  }

  async #openLater(
    place: Promise<void>,
    commitment: Commitment,
    opening: Opening | undefined,
  ): Promise<ReadView> {
    const sinceMs = performance.now();
    await place;
    this.record?.noteWait("read_view", performance.now() - sinceMs);
    return this.#openInPlace(commitment, opening);
  }

  #openInPlace(commitment: Commitment, opening: Opening | undefined): MaybePromise<ReadView> {
    const onError = (error: unknown): never => {
      // The call starts again in the same place.
      if (!(error instanceof NeedsSnapshot)) this.admission.stopUsingPlace();
      throw error;
    };
    try {
      // The caller may have left while it waited for the place.
      this.views.throwIfCancelled();
      const view = this.#viewSource.openView(commitment, opening);
      return view instanceof Promise ? view.catch(onError) : view;
    } catch (error) {
      return onError(error);
    }
  }

  cancel(): void {
    this.views.cancel();
  }

  /** Gives all views back, once the last call has settled. */
  close(): void {
    this.views.close();
    this.admission.dropPlaces();
  }
}
