import {
  type CallContext,
  type MethodSettings,
  type Profile,
  type ViewSource,
  RequestViews,
  type UnfinishedAnswers,
} from "@lamplight/core";

import type { Admission } from "../gate/admission.ts";
import type { KeyCharge } from "../gate/key-meter.ts";
import type { RequestRecord } from "../observe/request-record.ts";

/** The state that the calls of one HTTP request share. */
export class RequestContext implements CallContext {
  readonly views: RequestViews;
  readonly profile: Profile;
  readonly settings: MethodSettings;
  /** Where the caller reached us, ending in its key: the server address in an answer to rpc.discover. */
  readonly endpoint: () => string;
  /** Whether rpc.discover has been answered: the contract is large, and the same for every call of a batch. */
  isDescribed = false;
  /** Set before the first call. */
  isBatch = false;
  /** The charge to its key; null where that has no limits. It is set before the first call. */
  charge: KeyCharge | null = null;
  readonly admission: Admission;
  /** Null where nothing observes the request. */
  readonly record: RequestRecord | null;

  constructor(
    viewSource: ViewSource,
    admission: Admission,
    profile: Profile,
    settings: MethodSettings,
    endpoint: () => string,
    record: RequestRecord | null,
  ) {
    this.admission = admission;
    this.views = new RequestViews(viewSource, admission);
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

  cancel(): void {
    this.views.cancel();
  }

  /** Gives all views back, once the last call has settled. */
  close(): void {
    this.views.close();
    this.admission.dropPlaces();
    this.charge?.end();
  }
}
