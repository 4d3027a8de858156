import { decodeNativeTransaction, nativeSigningDigest } from '@prime/codec';
import { cryptoProvider, recoverAddress } from '@prime/crypto';
import {
  createBatch,
  createMarketUnits,
  definePrimeChain,
  primeActions,
  primeWalletActions,
  toAgentAccount,
  toDigestAccount,
} from '@prime/sdk';
import { createWalletClient, hexToBytes, http, type LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const provider = await cryptoProvider();

const market = {
  marketId: 1,
  ...createMarketUnits({
    symbol: 'ETH/USD',
    tickSize: 5n * 10n ** 13n,
    lotSize: 1n,
    baseDecimals: 3,
    quoteDecimals: 18,
  }),
};

/** For whom the agent signs. */
const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Quotes of both sides, as a market maker writes them: decimal text, in units of the market. */
export function buildBatch(size: number) {
  const batch = createBatch();
  for (let index = 0; index < size; index++)
    batch.order({
      market: market.marketId,
      side: index % 2 === 0 ? 'buy' : 'sell',
      price: market.price(`30${String(index % 100).padStart(2, '0')}.55`),
      size: market.size('0.25'),
      postOnly: true,
    });
  return batch.items;
}

/** A client with a signer whose time is measured by itself. */
export interface Contender {
  readonly name: string;
  readonly client: ReturnType<typeof clientOf>;
  /** ms spent in the signature itself since the process began. */
  readonly signedMs: () => number;
}

const clientOf = (account: LocalAccount, url: string) =>
  createWalletClient({
    account: toAgentAccount(account, { owner }),
    chain: definePrimeChain({ id: 7919, http: [url] }),
    transport: http(url),
  })
    .extend(primeActions())
    .extend(primeWalletActions());

/** viem's signer and a native one, each with a key of its own and a watch in it. */
export function contendersFor(url: string): readonly Contender[] {
  const [viemKey, nativeKey] = [generatePrivateKey(), generatePrivateKey()];
  let viemMs = 0;
  const inner = privateKeyToAccount(viemKey);
  const viemAccount: LocalAccount = {
    ...inner,
    async sign(parameters) {
      const start = performance.now();
      const signature = await inner.sign(parameters);
      viemMs += performance.now() - start;
      return signature;
    },
  };
  let nativeMs = 0;
  const key = hexToBytes(nativeKey);
  const nativeAccount = toDigestAccount({
    address: privateKeyToAccount(nativeKey).address,
    signDigest(digest) {
      const start = performance.now();
      const signature = provider.sign(digest, key);
      nativeMs += performance.now() - start;
      return signature;
    },
  });
  return [
    { name: 'viem', client: clientOf(viemAccount, url), signedMs: () => viemMs },
    { name: provider.name, client: clientOf(nativeAccount, url), signedMs: () => nativeMs },
  ];
}

/** Looks at one batch before anything is counted: what is sent is what was built, signed by the agent for its owner. @throws Error */
export async function checkedClient({ client }: Contender, size: number): Promise<void> {
  const signed = await client.signAction({ action: { type: 'batch', items: buildBatch(size) } });
  const transaction = decodeNativeTransaction(hexToBytes(signed.raw));
  const signer = recoverAddress(provider, nativeSigningDigest(transaction), transaction.signature);
  const { payload } = transaction;
  if (payload.type !== 'batch' || payload.items.length !== size) throw new Error('the batch has other items');
  if (signer !== client.account.address.toLowerCase() || transaction.account !== owner)
    throw new Error(`${signer} signed for ${transaction.account}`);
  const { hash, results } = await client.sendAction({ signed });
  if (hash !== signed.hash || results.length !== size) throw new Error('the answer is of something else');
}
