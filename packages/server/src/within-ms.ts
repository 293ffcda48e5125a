/** The value of a promise; null where it takes longer. */
export const withinMs = async <Value>(promise: Promise<Value>, ms: number): Promise<Value | null> => {
  let timer: NodeJS.Timeout | null = null;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer!));
};
