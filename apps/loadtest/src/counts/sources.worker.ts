import type { LoadHook } from 'node:module';
import { type CounterName, globalName } from './counters.ts';

/** Functions that are wrapped where their module is loaded, by the end of its address. */
const wrapped: Readonly<Record<string, Readonly<Record<string, CounterName>>>> = {
  'packages/codec/dist/encoding/rlp.js': { encodeRlp: 'encodings', decodeRlp: 'decodings' },
  'node_modules/@ethereumjs/rlp/dist/esm/index.js': { encode: 'encodings', decode: 'decodings' },
};

/** A hook of Node.js for modules. @throws Error when a function is not there any more: its count would be zero for the wrong reason */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const found = Object.entries(wrapped).find(([ending]) => url.endsWith(ending));
  if (found === undefined || loaded.source === undefined || loaded.source === null) return loaded;
  let source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
  for (const [name, counter] of Object.entries(found[1])) {
    const head = `export function ${name}(`;
    if (!source.includes(head)) throw new Error(`${url} has no function ${name} to be counted`);
    source = source.replace(
      head,
      `export function ${name}(...given) { return globalThis.${globalName}.outermost('${counter}', () => counted_${name}(...given)); }\nfunction counted_${name}(`,
    );
  }
  return { ...loaded, source };
};
