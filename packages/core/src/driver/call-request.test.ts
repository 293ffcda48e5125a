import { LamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";
import { NeedsSnapshot } from "../ports/needs-snapshot.ts";
import type { Opening, ReadView, ViewSource } from "../ports/read-view.ts";
import { createMethodSettings } from "../methods/method-settings.ts";
import { CallRequest } from "./call-request.ts";

const settings = createMethodSettings({ apiVersion: "1" });
const view = { slot: 7, close: () => undefined } as ReadView;

/** A request of a source whose openings fail with these errors, one after another, and then succeed. */
const requestAfter = (
  ...errors: Error[]
): { readonly request: CallRequest; readonly openings: () => number } => {
  let openings = 0;
  const openView = async (): Promise<ReadView> => {
    openings += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
    return view;
  };
  return { request: new CallRequest({ viewSource: { openView }, settings }), openings: () => openings };
};

test("calls of a batch share a view, which is there at once when it is open", async () => {
  const { request, openings } = requestAfter();
  const [first, second] = [request.view("finalized"), request.view("finalized")];
  expect(await first).toBe(await second);
  expect(request.view("finalized")).toBe(view);
  expect(openings()).toBe(1);
});

test("a view that could not be opened is the answer to those that waited for it, not to later calls", async () => {
  const lost = new LamplightError("STORE__UNREACHABLE", { store: "s", reason: "r" });
  const { request, openings } = requestAfter(lost);
  const waiting = [request.view("finalized"), request.view("finalized")];
  for (const one of waiting) await expect(one).rejects.toBe(lost);
  expect(await request.view("finalized")).toBe(view);
  expect(openings()).toBe(2);
});

test("a batch that has waited for a place in vain does not wait for each of its calls again", async () => {
  const busy = new LamplightError("STORE__BUSY", { limit: 1 });
  const { request, openings } = requestAfter(busy);
  await expect(request.view("finalized")).rejects.toBe(busy);
  await expect(request.view("finalized")).rejects.toBe(busy);
  expect(openings()).toBe(1);
});

/** Counts the places that it uses. */
class CountingRequest extends CallRequest {
  used = 0;

  override async usePlace(): Promise<void> {
    this.used += 1;
  }

  override stopUsingPlace(): void {
    this.used -= 1;
  }
}

const countingRequest = (openView: ViewSource["openView"]): CountingRequest =>
  new CountingRequest({ viewSource: { openView }, settings });

const openingOf = (): Opening => ({ reads: [], stop: null });

test("a view is opened in a place, which is free again where it could not be opened", async () => {
  const lost = new LamplightError("STORE__UNREACHABLE", { store: "s", reason: "r" });
  const errors: Error[] = [lost];
  const request = countingRequest(() => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return view;
  });
  await expect(request.view("finalized")).rejects.toBe(lost);
  expect(request.used).toBe(0);
  expect(await request.view("finalized")).toBe(view);
  expect(request.used).toBe(1);
});

test("a call that starts again opens its view in the place that it has", async () => {
  const opened: (Opening | undefined)[] = [];
  const request = countingRequest((_, opening) => {
    opened.push(opening);
    if (opening !== undefined) throw new NeedsSnapshot();
    return view;
  });
  const opening = openingOf();
  await expect(request.view("finalized", opening)).rejects.toThrow(NeedsSnapshot);
  request.restart();
  expect(await request.view("finalized")).toBe(view);
  expect(opened).toEqual([opening, undefined]);
  expect(request.used).toBe(1);
});

test("nothing is opened for a caller that left while it waited for a place", async () => {
  let openings = 0;
  const openView = (): ReadView => {
    openings += 1;
    return view;
  };
  const request = countingRequest(openView);
  const waiting = request.view("finalized");
  request.cancel();
  await expect(waiting).rejects.toThrow("the caller is gone");
  expect([openings, request.used]).toEqual([0, 0]);
});

test("a batch lists the same trees whichever of its calls ends first", () => {
  const [{ request: one }, { request: other }] = [requestAfter(), requestAfter()];
  for (const trees of [["treeB"], ["treeA", "treeC"]]) one.noteIncompleteTrees(trees);
  for (const trees of [["treeA", "treeC"], ["treeB"]]) other.noteIncompleteTrees(trees);
  expect(one.incompleteTrees()).toEqual(["treeA", "treeB", "treeC"]);
  expect(other.incompleteTrees()).toEqual(one.incompleteTrees());
});
