/** Emits each message on a line of its own: `end` ends a line of progress before it. */
export const lineApart =
  (end: () => void) =>
  (emit: (line: string) => void) =>
  (line: string): void => {
    end();
    emit(line);
  };
