import { type ReadonlySignal, signal } from '@preact/signals';

/** What a wallet in the browser offers a page (EIP-1193). */
export interface Provider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

/** A wallet that said that it is there (EIP-6963). Its name is its own word and only ever text. */
export interface AnnouncedWallet {
  /** Of this wallet in this window. */
  readonly uuid: string;
  readonly name: string;
  /** Its reverse domain name, by which it is known again. */
  readonly rdns: string;
  /** A picture within a data: address; null for anything else. */
  readonly icon: string | null;
  readonly provider: Provider;
}

/** Wallets that are listed; one that announces itself endlessly is not listened to. */
const walletsMax = 16;
const textMax = 64;

const found = signal<readonly AnnouncedWallet[]>([]);
let isListening = false;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** What an announcement says; null for one that is none. */
export function readAnnouncement(detail: unknown): AnnouncedWallet | null {
  if (!isRecord(detail) || !isRecord(detail['info']) || !isRecord(detail['provider'])) return null;
  const { uuid, name, rdns, icon } = detail['info'];
  const provider = detail['provider'];
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof rdns !== 'string') return null;
  if (typeof provider['request'] !== 'function' || name.trim() === '') return null;
  return {
    uuid,
    name: name.trim().slice(0, textMax),
    rdns: rdns.slice(0, textMax),
    icon: typeof icon === 'string' && icon.startsWith('data:image/') ? icon : null,
    provider: provider as unknown as Provider,
  };
}

/** Wallets of this browser, as they announce themselves. The first call asks them to. */
export function walletsAround(): ReadonlySignal<readonly AnnouncedWallet[]> {
  if (isListening) return found;
  isListening = true;
  addEventListener('eip6963:announceProvider', (event) => {
    const wallet = readAnnouncement((event as CustomEvent<unknown>).detail);
    if (wallet === null || found.value.length >= walletsMax) return;
    if (!found.value.some(({ uuid }) => uuid === wallet.uuid)) found.value = [...found.value, wallet];
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  return found;
}
