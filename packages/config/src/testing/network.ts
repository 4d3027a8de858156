import { createCryptoProvider } from '@prime/crypto';
import { createPrng, toTimestampMs } from '@prime/primitives';
import type { RandomBytes } from '../keys/keys.ts';
import type { PresetName } from '../testnet/presets.ts';
import {
  createTestnet,
  defaultPlace,
  type Testnet,
  type TestnetFile,
  type TestnetInput,
  type TestnetPlace,
} from '../testnet/testnet.ts';

/** What the networks of tests sign with. */
export const provider = await createCryptoProvider();

function seededBytes(seed: number): RandomBytes {
  const prng = createPrng(seed);
  return (length) => Uint8Array.from({ length }, () => prng.below(256));
}

/** A word of 32 bytes that ends in this number. */
export const word = (index: number): string => `0x${String(index).padStart(64, '0')}`;

/** The same network for the same arguments. */
export function testNetwork(
  preset: PresetName,
  place: (index: number) => TestnetPlace = defaultPlace,
  seed = 1,
  size = 4,
): Testnet {
  const input: TestnetInput = {
    preset,
    timestampMs: toTimestampMs(1_700_000_000_000),
    places: Array.from({ length: size }, (_, index) => place(index)),
    tls: Array.from({ length: size }, (_, index) => ({
      certificatePem: `certificate ${index}`,
      privateKeyPem: `key ${index}`,
      spki: word(index),
    })),
    randomBytes: seededBytes(seed),
    provider,
  };
  return createTestnet(input);
}

/** A file of a network. @throws Error when it has none at this path */
export function fileOf(made: Testnet, path: string): TestnetFile {
  const found = made.files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`no ${path} among ${made.files.map((file) => file.path).join(', ')}`);
  return found;
}
