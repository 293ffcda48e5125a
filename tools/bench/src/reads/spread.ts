/** So many of the values, evenly spread. */
export const spread = <Value>(values: readonly Value[], wanted: number): readonly Value[] => {
  const step = Math.max(1, Math.floor(values.length / wanted));
  return values.filter((_, index) => index % step === 0).slice(0, wanted);
};
