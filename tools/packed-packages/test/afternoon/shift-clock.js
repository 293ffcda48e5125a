// Runs before a command, in each of its threads: `Date` is ahead by the milliseconds that `CLOCK_FILE` has now.
import { readFileSync } from "node:fs";

const LOOK_MS = 50;
const file = process.env["CLOCK_FILE"];
let aheadMs = 0;
const look = () => {
  aheadMs = Number(readFileSync(file, "utf8"));
};
look();
setInterval(look, LOOK_MS).unref();

const trueNow = Date.now;
Date.now = () => trueNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
});
