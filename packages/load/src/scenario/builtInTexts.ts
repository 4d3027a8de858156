import { readdirSync, readFileSync } from 'node:fs';
import { LoadError } from '../errors.ts';

/** Scenarios that come with the program: packages/load/scenarios. */
const folder = new URL('../../scenarios/', import.meta.url);
const ending = '.toml';

/** Names of the built-in scenarios, in alphabetical order. */
export const builtInNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted();

/** The file as it is written. @throws LoadError `LOAD_SCENARIO_UNKNOWN` */
export function builtInText(name: string): string {
  const known = builtInNames();
  if (known.includes(name)) return readFileSync(new URL(`${name}${ending}`, folder), 'utf8');
  throw new LoadError(`no scenario ${name}; built in are ${known.join(', ')}`, {
    code: 'LOAD_SCENARIO_UNKNOWN',
    name,
    known,
  });
}
