/** The function as ports declare it: a promise of what it returns or throws. */
export const promised =
  <Asked extends readonly unknown[], Answer>(answer: (...asked: Asked) => Answer) =>
  async (...asked: Asked): Promise<Answer> =>
    answer(...asked);
