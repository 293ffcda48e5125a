import type { ReadView } from "@lamplight/core";
import type { SettlerOptions } from "../src/writer/settler.ts";
import type { ShardsReader } from "../src/reader/open-shards-reader.ts";

/** Rows are written as soon as no view is open, and no view opens while they are: so a view may be held for ever. */
export class SettleBetweenViews {
  #open = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = Promise.withResolvers<void>();

  settling(options: SettlerOptions): SettlerOptions {
    const { marks } = options;
    let done: (() => void) | null = null;
    return {
      ...options,
      marks: {
        begin: async (number) => {
          done?.();
          done = await this.#take();
          await marks.begin(number);
        },
        settle: async (number) => {
          await marks.settle(number);
          done?.();
          done = null;
        },
        forget: (number) => marks.forget(number),
      },
    };
  }

  reading(reader: ShardsReader): Pick<ShardsReader, "openView"> {
    return {
      openView: async (commitment, opening) => {
        await this.#turn;
        this.#open += 1;
        try {
          return this.#counted(await reader.openView(commitment, opening));
        } catch (error) {
          this.#close();
          throw error;
        }
      },
    };
  }

  #counted(view: ReadView): ReadView {
    const close = view.close.bind(view);
    let isOpen = true;
    view.close = () => {
      close();
      if (isOpen) this.#close();
      isOpen = false;
    };
    return view;
  }

  #close(): void {
    this.#open -= 1;
    this.#closed.resolve();
    this.#closed = Promise.withResolvers<void>();
  }

  async #take(): Promise<() => void> {
    while (this.#open > 0) await this.#closed.promise;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    return resolve;
  }
}
