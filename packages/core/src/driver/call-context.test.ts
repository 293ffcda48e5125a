import { LamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";
import { NeedsSnapshot } from "../ports/needs-snapshot.ts";
import type { Opening, ReadView } from "../ports/read-view.ts";
import { RequestViews } from "./call-context.ts";

const view = { slot: 7, close: () => undefined } as ReadView;

/** Views of a source whose openings fail with these errors, one after another, and then succeed. */
const viewsAfter = (
  ...errors: Error[]
): { readonly views: RequestViews; readonly openings: () => number } => {
  let openings = 0;
  const openView = async (): Promise<ReadView> => {
    openings += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
    return view;
  };
  return { views: new RequestViews({ openView }), openings: () => openings };
};

test("calls of a batch share a view, which is there at once when it is open", async () => {
  const { views, openings } = viewsAfter();
  const [first, second] = [views.view("finalized"), views.view("finalized")];
  expect(await first).toBe(await second);
  expect(views.view("finalized")).toBe(view);
  expect(openings()).toBe(1);
});

test("a view that could not be opened is the answer to those that waited for it, not to later calls", async () => {
  const lost = new LamplightError("STORE__UNREACHABLE", { store: "s", reason: "r" });
  const { views, openings } = viewsAfter(lost);
  const waiting = [views.view("finalized"), views.view("finalized")];
  for (const one of waiting) await expect(one).rejects.toBe(lost);
  expect(await views.view("finalized")).toBe(view);
  expect(openings()).toBe(2);
});

test("a batch that has waited for a place in vain does not wait for each of its calls again", async () => {
  const busy = new LamplightError("STORE__BUSY", { limit: 1 });
  const { views, openings } = viewsAfter(busy);
  await expect(views.view("finalized")).rejects.toBe(busy);
  await expect(views.view("finalized")).rejects.toBe(busy);
  expect(openings()).toBe(1);
});

/** Counts the places that are in use. */
const countedPlaces = () => ({
  used: 0,
  async usePlace(): Promise<void> {
    this.used += 1;
  },
  stopUsingPlace(): void {
    this.used -= 1;
  },
});

const openingOf = (): Opening => ({ reads: [], stop: null });

test("a view is opened in a place, which is free again where it could not be opened", async () => {
  const places = countedPlaces();
  const lost = new LamplightError("STORE__UNREACHABLE", { store: "s", reason: "r" });
  const errors: Error[] = [lost];
  const views = new RequestViews(
    {
      openView: () => {
        const error = errors.shift();
        if (error !== undefined) throw error;
        return view;
      },
    },
    places,
  );
  await expect(views.view("finalized")).rejects.toBe(lost);
  expect(places.used).toBe(0);
  expect(await views.view("finalized")).toBe(view);
  expect(places.used).toBe(1);
});

test("a call that starts again opens its view in the place that it has", async () => {
  const places = countedPlaces();
  const opened: (Opening | undefined)[] = [];
  const views = new RequestViews(
    {
      openView: (_, opening) => {
        opened.push(opening);
        if (opening !== undefined) throw new NeedsSnapshot();
        return view;
      },
    },
    places,
  );
  const opening = openingOf();
  await expect(views.view("finalized", opening)).rejects.toThrow(NeedsSnapshot);
  views.restart();
  expect(await views.view("finalized")).toBe(view);
  expect(opened).toEqual([opening, undefined]);
  expect(places.used).toBe(1);
});

test("nothing is opened for a caller that left while it waited for a place", async () => {
  const places = countedPlaces();
  let openings = 0;
  const openView = (): ReadView => {
    openings += 1;
    return view;
  };
  const views = new RequestViews({ openView }, places);
  const waiting = views.view("finalized");
  views.cancel();
  await expect(waiting).rejects.toThrow("the caller is gone");
  expect([openings, places.used]).toEqual([0, 0]);
});
