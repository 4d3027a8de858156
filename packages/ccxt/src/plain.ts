import type { Structure } from './library.ts';

/** What the SDK answered as JSON for `info`: amounts as decimal text, without functions. */
export function plain(value: object): Structure {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => typeof field !== 'function' && field !== undefined)
      .map(([name, field]) => [name, plainField(field)]),
  );
}

function plainField(field: unknown): unknown {
  if (typeof field === 'bigint') return field.toString();
  if (Array.isArray(field)) return field.map(plainField);
  return typeof field === 'object' && field !== null ? plain(field) : field;
}
