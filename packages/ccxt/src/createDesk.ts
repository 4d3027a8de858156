import { failover, primeActions, type PrimeWalletActions, primeWalletActions, toAgentAccount } from '@prime/sdk';
import { createClient, createWalletClient, publicActions, type Transport } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createBlockTimes } from './blockTimes.ts';
import { type Desk, fail, type Reader } from './desk.ts';
import type { CcxtExchange, CcxtLibrary } from './library.ts';
import { exchangeTransport } from './transport.ts';

const asList = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : [];

interface Urls {
  readonly api?: { readonly rpc?: unknown; readonly ws?: unknown };
}

const keyPattern = /^(0x)?[0-9a-fA-F]{64}$/;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** What the methods of an exchange instance work with, made of its `urls`, `privateKey` and `walletAddress` as they are now. */
export function createDesk(exchange: CcxtExchange, library: CcxtLibrary): Desk {
  const { api } = exchange.urls as Urls;
  const urls = asList(api?.rpc);
  const transport = transportOf(exchange, library, urls);
  const reader = createClient({ transport }).extend(publicActions).extend(primeActions()) as unknown as Reader;
  const signer = () => {
    exchange.checkRequiredCredentials();
    const key = exchange.privateKey!;
    if (!keyPattern.test(key))
      return fail({ exchange, library }, 'AuthenticationError', 'takes a privateKey of 64 hex digits');
    return privateKeyToAccount(key.startsWith('0x') ? (key as `0x${string}`) : `0x${key}`);
  };
  const address = (): `0x${string}` => {
    const given = exchange.walletAddress;
    if (given === undefined || given === '') return signer().address.toLowerCase() as `0x${string}`;
    if (!addressPattern.test(given))
      return fail({ exchange, library }, 'AuthenticationError', 'takes a walletAddress of 0x and 40 hex digits');
    return given.toLowerCase() as `0x${string}`;
  };
  // Kept, because a client asks for the chain's id once.
  let wallet: { readonly key: string; readonly writer: PrimeWalletActions } | null = null;
  return {
    exchange,
    library,
    reader,
    times: createBlockTimes(reader),
    streamUrls: asList(api?.ws).length > 0 ? asList(api?.ws) : urls,
    address,
    writer() {
      const owner = address();
      const key = `${exchange.privateKey} ${owner}`;
      if (wallet?.key === key) return wallet.writer;
      const signed = signer();
      // A key that is not the account's own is an agent's.
      const account = signed.address.toLowerCase() === owner ? signed : toAgentAccount(signed, { owner });
      const writer = createWalletClient({ account, transport }).extend(primeWalletActions());
      wallet = { key, writer };
      return writer;
    },
  };
}

function transportOf(exchange: CcxtExchange, library: CcxtLibrary, urls: readonly string[]): Transport {
  if (urls.length === 0)
    return fail({ exchange, library }, 'ArgumentsRequired', 'needs the URL of a node: urls.api.rpc');
  const transports = urls.map((url) => exchangeTransport(exchange, library, url));
  return failover(transports, { retryCount: 0 });
}
