/** So many of the values, evenly spread. */
export const spread = <Value>(values: readonly Value[], count: number): readonly Value[] => {
  const step = Math.max(1, Math.floor(values.length / count));
  return values.filter((_, index) => index % step === 0).slice(0, count);
};
