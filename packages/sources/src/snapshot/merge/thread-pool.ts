import { diskError, type ErrorCode, isLamplightError, LamplightError } from "@lamplight/errors";
import { parentPort, Worker } from "node:worker_threads";
import { TASKS_AHEAD, THREAD_YOUNG_MEGABYTES } from "../snapshot-limits.ts";

/** Objects of a thread mostly live for one task. A young generation of this size collects them without promotion. */
const threadLimits = { maxYoungGenerationSizeMb: THREAD_YOUNG_MEGABYTES };

interface Sent<Task> {
  readonly number: number;
  readonly task: Task;
}

/** Result of a task, or the error that ended it. */
type Answered<Done> = { readonly number: number } & (
  | { readonly done: Done }
  | { readonly fault: { readonly code: ErrorCode; readonly context: unknown } }
);

/** A thread reports this while it works on a task. */
interface Noted<Note> {
  readonly note: Note;
}

/** A thread sends this once, when its module and all that it imports are evaluated. */
const loadedMessage = "loaded";

interface Thread {
  readonly worker: Worker;
  /** Settles when its module is evaluated, or the thread has ended. */
  readonly loaded: PromiseWithResolvers<void>;
  /** Tasks that were sent to the thread and not answered yet. */
  pending: number;
}

/** Threads that run one module each, and are given tasks: see `serveTasks`. */
export class ThreadPool<Task, Done, Note = never> {
  readonly #threads: readonly Thread[];
  readonly #waiting = new Map<number, PromiseWithResolvers<Done>>();
  readonly #place: string;
  readonly #onNote: ((note: Note) => void) | undefined;
  #sent = 0;
  #failed: { readonly error: unknown } | null = null;

  /**
   * @param dataOf - what the module finds as its `workerData`, by the number of the thread
   * @param place - names a full disk in an error
   * @param onNote - receives what a thread reports before its result
   */
  constructor(
    url: URL | string,
    options: {
      readonly threads: number;
      readonly dataOf: (thread: number) => unknown;
      readonly place: string;
      readonly onNote?: (note: Note) => void;
    },
  ) {
    this.#place = options.place;
    this.#onNote = options.onNote;
    this.#threads = Array.from({ length: options.threads }, (_, thread) => ({
      worker: new Worker(new URL(url), { workerData: options.dataOf(thread), resourceLimits: threadLimits }),
      loaded: Promise.withResolvers(),
      pending: 0,
    }));
    for (const thread of this.#threads) this.#listen(thread);
  }

  /**
   * Results of the tasks, in their order. A few tasks run ahead of the reader.
   *
   * @param options.ahead - results that may wait for the reader
   * @param options.threads - only so many of the threads
   * @throws anything that went wrong in a thread
   */
  inOrder(
    tasks: readonly Task[],
    options: { readonly ahead?: number; readonly threads?: number } = {},
  ): AsyncGenerator<Done> {
    const threads = this.#threads.slice(0, options.threads);
    const ahead = options.ahead ?? TASKS_AHEAD * threads.length;
    const coming: Promise<Done>[] = [];
    let next = 0;
    const send = (): void => {
      for (; next < tasks.length && coming.length < ahead; next += 1)
        coming.push(this.#send(idlest(threads), tasks[next] as Task));
    };
    send();
    return (async function* (): AsyncGenerator<Done> {
      for (let done = coming.shift(); done !== undefined; done = coming.shift()) {
        const result = await done;
        send();
        yield result;
      }
    })();
  }

  /** Runs the same task in each thread, and returns the result of each. */
  async inEach(task: Task): Promise<readonly Done[]> {
    return Promise.all(this.#threads.map((thread) => this.#send(thread, task)));
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    // V8 aborts the process where a thread ends while a module that awaits is evaluated.
    await Promise.all(
      this.#threads.map(({ loaded, worker }) => loaded.promise.then(() => worker.terminate())),
    );
  }

  #send(thread: Thread, task: Task): Promise<Done> {
    const answer = Promise.withResolvers<Done>();
    // The error may come before this answer is awaited.
    answer.promise.catch(() => {});
    if (this.#failed !== null) answer.reject(this.#failed.error);
    const number = this.#sent;
    this.#sent += 1;
    this.#waiting.set(number, answer);
    thread.pending += 1;
    thread.worker.postMessage({ number, task } satisfies Sent<Task>, []);
    return answer.promise;
  }

  #listen(thread: Thread): void {
    thread.worker.on("message", (answered: Answered<Done> | Noted<Note> | typeof loadedMessage) => {
      if (answered === loadedMessage) return thread.loaded.resolve();
      if ("note" in answered) return this.#onNote?.(answered.note);
      thread.pending -= 1;
      const waiting = this.#waiting.get(answered.number);
      this.#waiting.delete(answered.number);
      if ("done" in answered) waiting?.resolve(answered.done);
      else waiting?.reject(new LamplightError(answered.fault.code, answered.fault.context as never));
    });
    thread.worker.on("error", (error) => this.#fail(error));
    thread.worker.on("exit", (code) => {
      thread.loaded.resolve();
      if (code !== 0) this.#fail(new Error(`a thread ended with code ${code}`));
    });
  }

  #fail(error: unknown): void {
    this.#failed ??= { error: diskError(error, this.#place) };
    for (const { reject } of this.#waiting.values()) reject(this.#failed.error);
  }
}

const idlest = (threads: readonly Thread[]): Thread =>
  threads.reduce((idle, thread) => (thread.pending < idle.pending ? thread : idle));

/**
 * Serves the tasks of a pool in one of its threads, one after another.
 *
 * @param handle - returns the result, and the memory that is transferred instead of copied; `note` reports something
 * before that
 */
export const serveTasks = <Task, Done, Note = never>(
  handle: (
    task: Task,
    note: (note: Note) => void,
  ) =>
    | Promise<{ readonly done: Done; readonly buffers: readonly ArrayBufferLike[] }>
    | {
        readonly done: Done;
        readonly buffers: readonly ArrayBufferLike[];
      },
): void => {
  const note = (noted: Note): void => parentPort?.postMessage({ note: noted } satisfies Noted<Note>, []);
  const serve = async ({ number, task }: Sent<Task>): Promise<void> => {
    try {
      const { done, buffers } = await handle(task, note);
      const transferred = new Set(buffers.filter((buffer) => buffer instanceof ArrayBuffer));
      parentPort?.postMessage({ number, done } satisfies Answered<Done>, [...transferred]);
    } catch (error) {
      // Other errors end the thread, which the pool notices.
      if (!isLamplightError(error)) throw error;
      const { code, context } = error;
      parentPort?.postMessage({ number, fault: { code, context } } satisfies Answered<Done>, []);
    }
  };
  let last: Promise<void> = Promise.resolve();
  parentPort?.on("message", (sent: Sent<Task>) => {
    last = last.then(() => serve(sent));
  });
  // The evaluation of the module ends after this call.
  setImmediate(() => parentPort?.postMessage(loadedMessage, []));
};
