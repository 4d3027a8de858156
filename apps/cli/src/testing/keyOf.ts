import type { KeyKind, KeyPair } from '@prime/config';
import { openKeystore } from '../keys/keystores.ts';

/** The key in a keystore of a test network, whose password lies beside it. */
export const keyOf = async (path: string, kind: KeyKind): Promise<KeyPair> =>
  (await openKeystore(path, kind, path)).key;
