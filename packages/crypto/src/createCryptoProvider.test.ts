import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider, type ProviderLoaders } from './createCryptoProvider.ts';
import { createNobleProvider } from './nobleProvider.ts';
import type { CryptoProvider } from './provider.ts';

const fails = async (): Promise<CryptoProvider> => {
  throw new Error('no binary for this platform');
};
/** Loads, and then recovers nothing. */
const misbehaves = async (): Promise<CryptoProvider> => ({
  ...createNobleProvider(),
  name: 'wasm',
  recover: () => null,
});
const works = async (): Promise<CryptoProvider> => createNobleProvider();
const loaders = (changes: Partial<ProviderLoaders>): ProviderLoaders => ({
  native: fails,
  wasm: fails,
  noble: fails,
  ...changes,
});

describe('createCryptoProvider', () => {
  it('one that does not load and one that misbehaves are passed over', async () => {
    const provider = await createCryptoProvider(undefined, loaders({ wasm: misbehaves, noble: works }));
    expect(provider.name).toBe('noble');
  });

  it('none works: CRYPTO_PROVIDER_UNAVAILABLE with the names that were tried and the last reason', async () => {
    await expect(createCryptoProvider(undefined, loaders({}))).rejects.toMatchObject({
      code: 'CRYPTO_PROVIDER_UNAVAILABLE',
      detail: { provider: 'native, wasm, noble' },
      cause: { message: 'no binary for this platform' },
    });
  });

  it('the wanted one does not work: no other takes its place', async () => {
    await expect(createCryptoProvider('wasm', loaders({ wasm: misbehaves, noble: works }))).rejects.toMatchObject({
      code: 'CRYPTO_PROVIDER_UNAVAILABLE',
      detail: { provider: 'wasm' },
    });
  });
});
