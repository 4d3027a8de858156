import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * Reads traces in the Informal Trace Format. Integers become numbers, sets and tuples arrays, maps `Map`s, and variants stay
 * `{ tag, value }`. Paths of variables lose their module prefix (`line28Test::N4F1::system` is `system`).
 */
export type Itf = null | boolean | number | string | Itf[] | Map<Itf, Itf> | { readonly [key: string]: Itf };

export interface Variant<Value = Itf> {
  readonly tag: string;
  readonly value: Value;
}

/** The traces lie beside the repository, not in it. */
const traceFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package-lock.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return '';
    folder = parent;
  }
  return join(folder, '..', 'shared', 'vectors', 'tendermint-itf');
};

/** Names of the traces, or null when the folder is not there. */
export function traceNames(): readonly string[] | null {
  const folder = traceFolder();
  if (!existsSync(folder)) return null;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.itf.json.gz'))
    .sort();
}

/** All states of a trace, decoded. */
export function readTrace(name: string): readonly Record<string, Itf>[] {
  const text = gunzipSync(readFileSync(join(traceFolder(), name))).toString('utf8');
  const { states } = JSON.parse(text) as { states: Record<string, unknown>[] };
  return states.map((state) =>
    Object.fromEntries(Object.entries(state).map(([key, value]) => [key.split('::').at(-1)!, decode(value)])),
  );
}

function decode(raw: unknown): Itf {
  if (Array.isArray(raw)) return raw.map(decode);
  if (typeof raw !== 'object' || raw === null) return raw as Itf;
  const object = raw as Record<string, unknown>;
  if ('#bigint' in object) return Number(object['#bigint']);
  if ('#set' in object) return (object['#set'] as unknown[]).map(decode);
  if ('#tup' in object) return (object['#tup'] as unknown[]).map(decode);
  if ('#map' in object)
    return new Map((object['#map'] as [unknown, unknown][]).map(([key, value]) => [decode(key), decode(value)]));
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, decode(value)]));
}
