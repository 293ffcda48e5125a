import {
  type AnswerTo,
  type ChangeSet,
  type DocumentStore,
  emptyChangeSet,
  type IndexStore,
  type ViewSource,
  type Read,
  type ReadKind,
  type ReadOf,
  type ReadView,
} from "@lamplight/core";

/** A store for one test: empty, with a reader of the same data as other processes would open it. */
export interface StoreUnderTest {
  readonly store: IndexStore;
  readonly reader: ViewSource;
  /** Opens its documents as another process would; absent where only the store's writer writes them. */
  readonly openDocuments?: () => Promise<DocumentStore>;
  close(): void | Promise<void>;
}

export type CreateStore = () => Promise<StoreUnderTest>;

/** Runs `body` on an empty store and closes it, in every case. */
export const withStore = async (
  create: CreateStore,
  body: (under: StoreUnderTest) => Promise<void>,
): Promise<void> => {
  const under = await create();
  try {
    await body(under);
  } finally {
    await under.close();
  }
};

/**
 * Runs `body` on a view and closes it.
 *
 * @param first - the view is opened with these reads
 */
export const withView = async <Result>(
  under: Pick<StoreUnderTest, "reader">,
  body: (view: ReadView) => Result | Promise<Result>,
  first?: readonly Read[],
): Promise<Result> => {
  const opening = first === undefined ? [] : [{ reads: first, stop: null }];
  const view = await under.reader.openView("finalized", ...opening);
  try {
    return await body(view);
  } finally {
    view.close();
  }
};

/** Asks a view with a snapshot, and one that is opened with the read. */
export const askBoth = async <Kind extends ReadKind>(
  under: Pick<StoreUnderTest, "reader">,
  asked: ReadOf<Kind>,
  check: (answer: AnswerTo<Kind>, view: ReadView) => void | Promise<void>,
): Promise<void> => {
  const use = async (view: ReadView): Promise<void> => check(await view.read(asked), view);
  await withView(under, use);
  await withView(under, use, [asked as Read]);
};

/** A change set of the given parts. */
export const changes = (parts: Partial<ChangeSet>): ChangeSet => ({ ...emptyChangeSet, ...parts });

/** The same, as the slot that the store then is at. */
export const slotOf = (slot: number, parts: Partial<ChangeSet> = {}): ChangeSet =>
  changes({ watermark: { slot, blockhash: null }, ...parts });
