/**
 * Processor time of this thread in milliseconds. Overload is measured in it: a machine that is busy with other processes
 * makes every call slower, and refusing calls would not help. Node 22 lacks the function; there it is the time of day.
 */
export const ownTimeMs = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
