import { useEffect, useState } from 'preact/hooks';
import type * as decoding from './decode.ts';

/** The functions of decode.ts, which are loaded with viem when they are needed. */
export type Decoder = typeof decoding;

let loaded: Decoder | null = null;

/** What reads calls and logs; null until it is loaded, and where it can not be. */
export function useDecoder(): Decoder | null {
  const [decoder, setDecoder] = useState(loaded);
  useEffect(() => {
    if (decoder !== null) return;
    import('./decode.ts').then(
      (module) => {
        loaded = module;
        setDecoder(module);
      },
      // Without it the bytes are shown as they are.
      () => undefined,
    );
  }, [decoder]);
  return decoder;
}
