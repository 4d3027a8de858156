/** What a program does with the SDK, from the first deposit to a proof. Runs in Node.js and in a page: it needs a URL and keys, and prints nothing. */
import {
  createBatch,
  prime,
  primeActions,
  primeStreamActions,
  primeWalletActions,
  toAgentAccount,
  toClientId,
} from '@prime/sdk';
import { createLightClient, isLightError, type LightTrust } from '@prime/sdk/light';
import { createPublicClient, createWalletClient, type Hex, http, parseEther, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export interface Setting {
  readonly url: string;
  readonly symbol: string;
  readonly makerKey: Hex;
  readonly takerKey: Hex;
  readonly agentKey: Hex;
  readonly genesisHash: Hex;
}

export async function trade({ url, symbol, makerKey, takerKey, agentKey, genesisHash }: Setting) {
  const [maker, taker, desk] = [makerKey, takerKey, agentKey].map((key) => privateKeyToAccount(key)) as [
    PrivateKeyAccount,
    PrivateKeyAccount,
    PrivateKeyAccount,
  ];
  const reader = createPublicClient({ chain: prime, transport: http(url) })
    .extend(primeActions())
    .extend(primeStreamActions());
  const walletOf = (account: PrivateKeyAccount) =>
    createWalletClient({ account, chain: prime, transport: http(url) })
      .extend(primeActions())
      .extend(primeWalletActions());
  const [making, taking] = [walletOf(maker), walletOf(taker)];

  // Units and a refusal before anything is sent.
  const market = await reader.getMarket({ market: symbol });
  const price = market.price('3010.05');
  let refused = '';
  try {
    market.price('3010.07');
  } catch (error) {
    refused = (error as Error).name;
  }

  // The stream is live before the first quote.
  const spreads: string[] = [];
  let told: () => void = () => undefined;
  let live: () => void = () => undefined;
  const isLive = new Promise<void>((resolve) => (live = resolve));
  const isQuoted = new Promise<void>((resolve) => (told = resolve));
  const errors: string[] = [];
  const unwatch = reader.watchOrderBook({
    market,
    onStatus: (status) => (status === 'live' ? live() : undefined),
    onError: (error) => void errors.push(error.message),
    onOrderBook: ({ bids: [bid], asks: [ask] }) => {
      if (bid === undefined || ask === undefined) return;
      spreads.push(`${market.formatPrice(bid.price)}/${market.formatPrice(ask.price)}`);
      told();
    },
  });
  await isLive;

  for (const wallet of [making, taking]) await wallet.depositCollateral({ amount: parseEther('1000') });

  // Quotes by an agent, in one batch.
  const size = market.size('0.5');
  await making.approveAgent({ agent: desk.address, permissions: ['trade', 'cancel'], name: 'desk' });
  const quoting = createWalletClient({
    account: toAgentAccount(desk, { owner: maker.address }),
    chain: prime,
    transport: http(url),
  }).extend(primeWalletActions());
  const quote = { market, size, postOnly: true } as const;
  const { results } = await quoting.submitBatch({
    items: createBatch()
      .order({ ...quote, side: 'buy', price: market.price('3000'), clientId: toClientId('bid') })
      .order({ ...quote, side: 'sell', price, clientId: toClientId('ask') }).items,
  });
  await isQuoted;
  unwatch();

  // A fill, and a cancel.
  const filled = await taking.placeOrder({ market, side: 'buy', price, size: market.size('0.2'), tif: 'ioc' });
  const cancelled = await quoting.cancelOrderByClientId({ market, clientId: toClientId('bid') });
  const { positions } = await reader.getAccount({ address: taker.address });

  // Nothing of it has to be believed.
  const light = createLightClient({ client: reader, root: genesisHash });
  const since = { minBlockNumber: cancelled.blockNumber };
  const [ask] = await reader.getOpenOrders({ address: maker.address });
  if (ask === undefined) throw new Error('the ask does not rest');
  const order = await light.verifyRecord({ orderId: ask.orderId }, since);
  const gone = await light.verifyRecord({ orderId: cancelled.orderId }, since);
  const level = await light.verifyRecord({ market, side: 'sell', price }, since);
  const account = await light.verifyRecord({ address: taker.address }, since);
  const kept = JSON.parse(JSON.stringify(light.trust)) as LightTrust;
  const later = await createLightClient({ client: reader, root: kept }).verifyBlock({
    blockNumber: BigInt(kept.blockNumber) + 1n,
  });
  let deceived = '';
  try {
    await createLightClient({ client: reader, root: `0x${'12'.repeat(32)}` }).verifyBlock();
  } catch (error) {
    deceived = isLightError(error, 'wrong_network') ? error.kind : String(error);
  }

  return {
    refused,
    errors,
    spread: spreads.at(-1),
    batch: results.map(({ ok }) => ok),
    filled: market.formatSize(filled.filled),
    at: filled.trades.map((each) => market.formatPrice(each.price)),
    position: positions.map((position) => market.formatSize(position.size)),
    cancelled: market.formatSize(cancelled.remaining),
    proven: {
      remaining: order.present ? market.formatSize(order.record.remaining) : null,
      isGone: !gone.present,
      level: level.present ? market.formatSize(level.record.size) : null,
      position: account.present ? account.record.positions.map((position) => market.formatSize(position.size)) : null,
      blocksLater: Number(later.number) - kept.blockNumber,
      deceived,
    },
  };
}

export type Traded = Awaited<ReturnType<typeof trade>>;
