/**
 * Resolves with the first SIGTERM or SIGINT. A second one, while calls under way are being finished, ends the process
 * as it would without us.
 */
export const untilStopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      process.off("SIGTERM", onSignal);
      process.off("SIGINT", onSignal);
      resolve(signal);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
