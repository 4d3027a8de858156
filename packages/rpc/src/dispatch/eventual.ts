/**
 * A value that is there, or will be. What answers from memory hands out the value itself: a promise would cost a request more than the
 * rest of the work does. `await` takes both.
 */
export type Eventual<T> = T | Promise<T>;

/** What follows a value: at once when it is there. */
export function andThen<T, U>(value: Eventual<T>, follow: (value: T) => Eventual<U>): Eventual<U> {
  return value instanceof Promise ? value.then(follow) : follow(value);
}
