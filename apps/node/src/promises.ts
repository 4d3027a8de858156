/** A promise, and what settles it. */
export function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** What work comes to, or what `late` makes when that takes longer. The work itself goes on. @throws what either throws */
export function orLate<T, L>(work: Promise<T>, timeoutMs: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  return Promise.race([work, passed.then(late)]).finally(() => clearTimeout(timer));
}
