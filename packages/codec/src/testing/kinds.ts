import type fc from 'fast-check';

/** A kind of message: what it may be, and both directions of its encoding. */
export interface Kind<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** A row of a table of kinds, whose values have nothing in common. */
export const kind = <T>(name: string, definition: Kind<T>): readonly [string, Kind<unknown>] => [
  name,
  definition as Kind<unknown>,
];
