/** Wallets of the browser: found by EIP-6963, told of the network by EIP-3085. */

/** A wallet as it announces itself. Its name and drawing are its own words: shown as text, and as a picture only from within. */
export interface AnnouncedWallet {
  readonly uuid: string;
  readonly name: string;
  /** A `data:` URI of a picture; null for anything else. */
  readonly icon: string | null;
  readonly provider: WalletProvider;
}

interface WalletProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** The part of `window` that is used. */
export type WalletWindow = Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>;

const walletsMax = 24;
const nameLettersMax = 60;

const isPicture = (icon: unknown): icon is string =>
  typeof icon === 'string' && /^data:image\/(?:svg\+xml|png|webp|jpeg|gif)[;,]/.test(icon);

/** null for what is no announcement. */
export function parseAnnouncement(detail: unknown): AnnouncedWallet | null {
  const { info, provider } = (detail ?? {}) as { readonly info?: unknown; readonly provider?: unknown };
  const { uuid, name, icon } = (info ?? {}) as Readonly<Record<string, unknown>>;
  const canRequest = typeof (provider as WalletProvider | undefined)?.request === 'function';
  if (typeof uuid !== 'string' || typeof name !== 'string' || !canRequest) return null;
  const shown = name.trim().slice(0, nameLettersMax);
  return {
    uuid,
    name: shown === '' ? 'A wallet without a name' : shown,
    icon: isPicture(icon) ? icon : null,
    provider: provider as WalletProvider,
  };
}

/** Tells of the wallets that there are, and of each that comes later. @returns what ends it */
export function discoverWallets(
  window: WalletWindow,
  onWallets: (wallets: readonly AnnouncedWallet[]) => void,
): () => void {
  const found = new Map<string, AnnouncedWallet>();
  const onAnnounce = (event: Event): void => {
    const wallet = parseAnnouncement((event as CustomEvent).detail);
    if (wallet === null || found.has(wallet.uuid) || found.size >= walletsMax) return;
    found.set(wallet.uuid, wallet);
    onWallets([...found.values()]);
  };
  window.addEventListener('eip6963:announceProvider', onAnnounce);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => window.removeEventListener('eip6963:announceProvider', onAnnounce);
}

export interface ChainFacts {
  readonly chainId: number;
  readonly name: string;
  readonly rpcUrl: string;
  readonly explorerUrl: string;
}

/** Contract of the order book, as the SDK names it too: from there it would bring a library along. */
export const ordersAddress = '0x0000000000000000000000000000000000000100';

export const currency = { name: 'Prime', symbol: 'PRIME', decimals: 18 } as const;

/** Parameter of `wallet_addEthereumChain`. */
const chainParameter = ({ chainId, name, rpcUrl, explorerUrl }: ChainFacts) => ({
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
