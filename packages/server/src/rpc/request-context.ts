import {
  type CallContext,
  type MethodSettings,
  type Profile,
  type Readable,
  RequestViews,
} from "@lamplight/core";

/** What the calls of one HTTP request share. */
export class RequestContext implements CallContext {
  readonly views: RequestViews;
  readonly profile: Profile;
  readonly settings: MethodSettings;
  /** Where the caller reached us, ending in its key: the server address in an answer to rpc.discover. */
  readonly endpoint: () => string;
  #abort: AbortController | null = null;
  #cancelled = false;

  constructor(readable: Readable, profile: Profile, settings: MethodSettings, endpoint: () => string) {
    this.views = new RequestViews(readable);
    this.profile = profile;
    this.settings = settings;
    this.endpoint = endpoint;
  }

  /** Made on first use: most calls are over before anyone could cancel them. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#cancelled) this.#abort.abort();
    return this.#abort.signal;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#abort?.abort();
    this.views.cancel();
  }
}
