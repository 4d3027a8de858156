import { CryptoError } from './errors.ts';
import type { CryptoProvider } from './provider.ts';

/** How each implementation is loaded. */
export type ProviderLoaders = Readonly<Record<CryptoProvider['name'], () => Promise<CryptoProvider>>>;

const ownLoaders: ProviderLoaders = {
  native: async () => (await import('./nativeProvider.ts')).createNativeProvider(),
  wasm: async () => (await import('./wasmProvider.ts')).createWasmProvider(),
  noble: async () => (await import('./nobleProvider.ts')).createNobleProvider(),
};

/**
 * Loads an implementation of secp256k1: the wanted one, or else the fastest that works on this machine (native, WebAssembly,
 * JavaScript). A candidate counts as working only after it signed and recovered once.
 *
 * @throws CryptoError `CRYPTO_PROVIDER_UNAVAILABLE` when the wanted one, or all of them, fail
 */
export async function createCryptoProvider(
  preference?: CryptoProvider['name'],
  loaders: ProviderLoaders = ownLoaders,
): Promise<CryptoProvider> {
  const candidates = preference === undefined ? (['native', 'wasm', 'noble'] as const) : [preference];
  let cause: unknown;
  for (const candidate of candidates) {
    try {
      const provider = await loaders[candidate]();
      if (worksOnce(provider)) return provider;
    } catch (error) {
      cause = error;
    }
  }
  const provider = candidates.join(', ');
  throw new CryptoError(
    `no working secp256k1 implementation among ${provider}`,
    { code: 'CRYPTO_PROVIDER_UNAVAILABLE', provider },
    { cause },
  );
}

/** A binary for another platform may load and then misbehave; one signature tells. */
function worksOnce(provider: CryptoProvider): boolean {
  const digest = new Uint8Array(32).fill(0x5a);
  const privateKey = new Uint8Array(32).fill(0x11);
  const signature = provider.sign(digest, privateKey);
  const recovered = provider.recover(digest, signature);
  return recovered !== null && provider.verify(digest, signature, recovered);
}

let shared: Promise<CryptoProvider> | null = null;

/** The fastest provider of this machine, loaded once per thread. */
export function cryptoProvider(): Promise<CryptoProvider> {
  shared ??= createCryptoProvider();
  return shared;
}
