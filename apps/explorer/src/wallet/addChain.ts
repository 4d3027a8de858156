import { coin } from '@prime/sdk/explain';
import type { AnnouncedWallet } from './providers.ts';

/** The network as wallets know networks (EIP-3085). */
export interface ChainFacts {
  readonly chainId: number;
  readonly name: string;
  readonly rpcUrl: string;
  readonly explorerUrl: string;
}

/** The native coin as EIP-3085 describes it. */
export const currency = { name: 'Prime', symbol: coin, decimals: 18 } as const;

/** Parameter of `wallet_addEthereumChain`. */
export const chainParameter = ({ chainId, name, rpcUrl, explorerUrl }: ChainFacts) => ({
  chainId: `0x${chainId.toString(16)}`,
  chainName: name,
  nativeCurrency: currency,
  rpcUrls: [rpcUrl],
  blockExplorerUrls: [explorerUrl],
});

const declined = 4001;
const unsupported: readonly unknown[] = [4200, -32601];

/** Has a wallet take the network up. @returns what became of it, in words */
export async function addChain(
  { name, provider }: AnnouncedWallet,
  chain: ChainFacts,
): Promise<{ readonly isDone: boolean; readonly words: string }> {
  try {
    await provider.request({ method: 'wallet_addEthereumChain', params: [chainParameter(chain)] });
    return { isDone: true, words: `${name} has the network now.` };
  } catch (error) {
    const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
    if (code === declined) return { isDone: false, words: `It was declined in ${name}.` };
    if (unsupported.includes(code))
      return { isDone: false, words: `${name} takes no networks from pages: add it there by hand.` };
    return { isDone: false, words: `${name} refused: ${typeof message === 'string' ? message : 'it did not say why'}` };
  }
}
