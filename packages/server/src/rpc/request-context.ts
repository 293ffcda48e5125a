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
import type { Permit } from "../gate/places.ts";
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
    const permit = this.admission.takePlace(this.isBatch);
    if (permit instanceof Promise) return this.#openWhenFree(permit, commitment, opening);
    return this.#openIn(permit, commitment, opening);
  }

  async #openWhenFree(
    permit: Promise<Permit>,
    commitment: Commitment,
    opening: Opening | undefined,
  ): Promise<ReadView> {
    const sinceMs = performance.now();
    const later = await permit;
    this.record?.noteWait("read_view", performance.now() - sinceMs);
    return this.#openIn(later, commitment, opening);
  }

  #openIn(permit: Permit, commitment: Commitment, opening: Opening | undefined): MaybePromise<ReadView> {
    const onError = (error: unknown): never => {
      // The call starts again in the same place.
      if (!(error instanceof NeedsSnapshot)) this.admission.dropPlace(permit);
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
