import type { RequestObserver } from "./request-record.ts";

type Defined<Name extends keyof RequestObserver> = Pick<RequestObserver, Name> &
  Required<Pick<RequestObserver, Name>>;

/** One observer that calls several. Those of a kind that none has are left out, so that they cost nothing. */
export const observeAll = (given: readonly (RequestObserver | null)[]): RequestObserver => {
  const observers = given.filter((one) => one !== null);
  const having = <Name extends keyof RequestObserver>(name: Name): readonly Defined<Name>[] =>
    observers.filter((one): one is RequestObserver & Defined<Name> => one[name] !== undefined);
  const [heads, calls, waits, unreadable] = [
    having("onHead"),
    having("onCalls"),
    having("onWait"),
    having("onUnreadable"),
  ];
  // Only traces observe rounds.
  const [rounds] = having("onRound");
  return {
    onEnd: (record) => {
      for (const one of observers) one.onEnd(record);
    },
    ...(heads.length > 0 && {
      onHead: (record, request) => {
        for (const one of heads) one.onHead(record, request);
      },
    }),
    ...(calls.length > 0 && {
      onCalls: (record) => {
        for (const one of calls) one.onCalls(record);
      },
    }),
    ...(waits.length > 0 && {
      onWait: (record, reason, waitMs) => {
        for (const one of waits) one.onWait(record, reason, waitMs);
      },
    }),
    ...(rounds !== undefined && { onRound: (record) => rounds.onRound(record) }),
    ...(unreadable.length > 0 && {
      onUnreadable: (status) => {
        for (const one of unreadable) one.onUnreadable(status);
      },
    }),
  };
};
