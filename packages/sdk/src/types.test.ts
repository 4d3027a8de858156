import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import { createPublicClient, createWalletClient, http, rpcSchema } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  type AccountLiquidation,
  type Action,
  type BatchResult,
  type AccountTransactions,
  type Candle,
  type CancelledOrder,
  type CancelledOrders,
  type CollateralTransfer,
  type CreatedSubAccount,
  type CommitSummary,
  type ConsensusStatus,
  type Deposit,
  type DomainEventOf,
  type Done,
  type EndedOrder,
  getMarkets,
  type HistoryFill,
  type HistoryPage,
  InsufficientMarginError,
  type Inclusion,
  type MarginAccount,
  type Market,
  type MarketMid,
  type NetworkNodes,
  type NetworkParameters,
  type ParameterProposal,
  type Order,
  type OrderBook,
  type PlacedOrder,
  type Price,
  prime,
  type PrimeActions,
  primeActions,
  primeCallActions,
  type PrimeRpcSchema,
  primeWalletActions,
  type QueuedTransfer,
  RefusalError,
  refusalKinds,
  type RpcMethodName,
  type SettledFunding,
  type Size,
  type SubAccount,
  type Ticker,
  type Trade,
  type TransferEntry,
  type Wei,
} from './index.ts';

/** What compiles and what does not. Functions here are checked by the compiler and never run. */

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const publicClient = createPublicClient({ chain: prime, transport: http() })
  .extend(primeActions())
  .extend(primeCallActions());
const wallet = createWalletClient({ account, chain: prime, transport: http() }).extend(primeWalletActions());
declare const market: Market;
const order = { market: 1, side: 'buy', price: 1n, size: 1n } as const;

interface InBlock {
  readonly blockNumber: bigint;
}
type Client = typeof publicClient;
type Wallet = typeof wallet;
type Result<action extends keyof Wallet> = Wallet[action] extends (...parameters: never[]) => Promise<infer result>
  ? result
  : never;
type Answer<action extends keyof Client> = Client[action] extends (...parameters: never[]) => Promise<infer result>
  ? result
  : never;

describe('types', () => {
  it('each signed action gives the result of its kind and where it was carried out', () => {
    expectTypeOf<Result<'placeOrder'>>().toEqualTypeOf<PlacedOrder & Inclusion>();
    expectTypeOf<Result<'modifyOrder'>>().toEqualTypeOf<PlacedOrder & Inclusion>();
    expectTypeOf<Result<'cancelOrder'>>().toEqualTypeOf<CancelledOrder & Inclusion>();
    expectTypeOf<Result<'cancelOrderByClientId'>>().toEqualTypeOf<CancelledOrder & Inclusion>();
    expectTypeOf<Result<'cancelAllOrders'>>().toEqualTypeOf<CancelledOrders & Inclusion>();

    expectTypeOf<Result<'placeTrigger'>['orderId']>().toEqualTypeOf<number>();
    expectTypeOf<Result<'submitBatch'>>().toEqualTypeOf<BatchResult & Inclusion>();
    expectTypeOf<Result<'depositCollateral'>>().toEqualTypeOf<Deposit & Inclusion>();
    expectTypeOf<Result<'withdrawCollateral'>>().toEqualTypeOf<QueuedTransfer & Inclusion>();
    expectTypeOf<Result<'enqueueEvmToOrders'>>().toEqualTypeOf<QueuedTransfer & Inclusion>();
    expectTypeOf<Result<'transferCollateral'>>().toEqualTypeOf<CollateralTransfer & Inclusion>();
    expectTypeOf<Result<'createSubAccount'>>().toEqualTypeOf<CreatedSubAccount & Inclusion>();
    expectTypeOf<Result<'addMarket'>['marketId']>().toEqualTypeOf<number>();
    expectTypeOf<Result<'setMarginParams'>['marketId']>().toEqualTypeOf<number | null>();
    expectTypeOf<Result<'liquidate'>['badDebt']>().toEqualTypeOf<Wei>();
    expectTypeOf<Result<'dequeueOrdersToEvm'>['pending']>().toEqualTypeOf<number>();
    expectTypeOf<Result<'dequeueEvmToOrders'>['pending']>().toEqualTypeOf<number>();
    expectTypeOf<
      Result<
        | 'approveAgent'
        | 'revokeAgent'
        | 'scheduleCancel'
        | 'lockAccount'
        | 'sendNoop'
        | 'joinValidators'
        | 'leaveValidators'
        | 'bondStake'
        | 'unbondStake'
        | 'rotateSigner'
        | 'jailValidator'
        | 'unjailValidator'
        | 'setValidatorEndpoint'
        | 'setOracleKey'
        | 'reportPrices'
        | 'changeParameter'
        | 'proposeChange'
        | 'voteOnChange'
      >
    >().toEqualTypeOf<Done & Inclusion>();
  });

  it('each read gives bigints and numbers under names of TypeScript', () => {
    expectTypeOf<Answer<'getMarkets'>>().toEqualTypeOf<readonly Market[]>();
    expectTypeOf<Answer<'getMarket'>>().toEqualTypeOf<Market>();
    expectTypeOf<Answer<'getOrderBook'>>().toEqualTypeOf<OrderBook>();
    expectTypeOf<Answer<'getOrder'>>().toEqualTypeOf<Order | null>();
    expectTypeOf<Answer<'getAccount'>>().toEqualTypeOf<MarginAccount>();
    expectTypeOf<Answer<'getTrades'>[number]>().toExtend<Trade>();
    expectTypeOf<Answer<'getOpenOrders'>[number]['price']>().toEqualTypeOf<Price>();
    expectTypeOf<Answer<'getTriggers'>[number]['size']>().toEqualTypeOf<Size | 'position'>();
    expectTypeOf<Answer<'getAgents'>[number]['status']>().toEqualTypeOf<'live' | 'expired' | 'revoked'>();
    expectTypeOf<Answer<'getSubAccounts'>>().toEqualTypeOf<readonly SubAccount[]>();
    expectTypeOf<Answer<'getInsolvent'>[number]['equity']>().toEqualTypeOf<Wei>();
    expectTypeOf<Answer<'getMarketDebts'>[number]['debt']>().toEqualTypeOf<Wei>();
    expectTypeOf<Answer<'isLiquidatable'>>().toEqualTypeOf<boolean>();
    expectTypeOf<Answer<'getDomainEvents'>>().toEqualTypeOf<readonly DomainEventOf[]>();
    const trades = (client: PrimeActions) => client.getDomainEvents({ fromBlock: 1n, toBlock: 2n, kind: 'trade' });
    expectTypeOf<Awaited<ReturnType<typeof trades>>[number]['data']['takerOrderId']>().toEqualTypeOf<number>();
    // @ts-expect-error there is no such kind
    void ((client: PrimeActions) => client.getDomainEvents({ fromBlock: 1n, toBlock: 2n, kind: 'trades' }));
    expectTypeOf<NonNullable<Answer<'getCommit'>>['round']>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<Answer<'getBlockActions'>>[number]['status']>().toEqualTypeOf<'success' | 'refused'>();
    expectTypeOf<NonNullable<Answer<'getNativeBlock'>>['baseFee']>().toEqualTypeOf<Wei>();
    expectTypeOf<Answer<'getValidators'>[number]['stake']>().toEqualTypeOf<Wei>();
    expectTypeOf<Answer<'getRegisteredValidators'>[number]['jailedUntilMs']>().toEqualTypeOf<number | null>();
    expectTypeOf<Answer<'getOrdersProof'>['present']>().toEqualTypeOf<boolean>();
    expectTypeOf<Answer<'getGenesis'>['chainId']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<'getOpenRpc'>['openrpc']>().toEqualTypeOf<string>();
    expectTypeOf<Answer<'callSubmitOrder'>>().toEqualTypeOf<PlacedOrder & Inclusion>();
    expectTypeOf<Answer<'callBatch'>>().toEqualTypeOf<BatchResult & Inclusion>();
    expectTypeOf<Answer<'callCancelOrder'>>().toEqualTypeOf<true>();
    expectTypeOf<Answer<'callDepositCollateral'>>().toEqualTypeOf<Deposit>();
    expectTypeOf<Answer<'getCandles'>>().toEqualTypeOf<readonly Candle[]>();
    expectTypeOf<Answer<'getTickers'>>().toEqualTypeOf<readonly Ticker[]>();
    expectTypeOf<Answer<'getMids'>>().toEqualTypeOf<readonly MarketMid[]>();
    // @ts-expect-error there is no such interval
    void ((client: PrimeActions) => client.getCandles({ market: 1, interval: '2m' }));
    expectTypeOf<Answer<'getCommits'>>().toEqualTypeOf<readonly CommitSummary[]>();
    expectTypeOf<Answer<'getAccountTransactions'>>().toEqualTypeOf<AccountTransactions>();
    expectTypeOf<Answer<'getFills'>>().toEqualTypeOf<HistoryPage<HistoryFill>>();
    expectTypeOf<Answer<'getOrderHistory'>>().toEqualTypeOf<HistoryPage<EndedOrder>>();
    expectTypeOf<Answer<'getFunding'>>().toEqualTypeOf<HistoryPage<SettledFunding>>();
    expectTypeOf<Answer<'getTransfers'>>().toEqualTypeOf<HistoryPage<TransferEntry>>();
    expectTypeOf<Answer<'getLiquidations'>>().toEqualTypeOf<HistoryPage<AccountLiquidation>>();
    // @ts-expect-error transfers are of no market
    void ((client: PrimeActions) => client.getTransfers({ address: '0x', market: 1 }));
    expectTypeOf<Answer<'getParameters'>>().toEqualTypeOf<NetworkParameters>();
    expectTypeOf<Answer<'getProposals'>>().toEqualTypeOf<readonly ParameterProposal[]>();
    expectTypeOf<Answer<'getConsensusStatus'>>().toEqualTypeOf<ConsensusStatus>();
    expectTypeOf<Answer<'getNetwork'>>().toEqualTypeOf<NetworkNodes>();
    // @ts-expect-error heights are bigints, counts are numbers
    void ((client: PrimeActions) => client.getCommits({ from: 1, count: 2n }));
    expectTypeOf(getMarkets).parameter(0).toExtend<object>();
    expectTypeOf(getMarkets).returns.resolves.toEqualTypeOf<readonly Market[]>();
  });

  it('each call that a node signs gives the result of its kind', () => {
    expectTypeOf<Answer<'callAddMarket'>['marketId']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<'callSetMarginParams'>>().toEqualTypeOf<true>();
    expectTypeOf<Answer<'callCancelAll'>>().toEqualTypeOf<CancelledOrders & InBlock>();
    expectTypeOf<Answer<'callPlaceTrigger'>['orderId']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<'callScheduleCancel'>['atMs']>().toEqualTypeOf<number | null>();
    expectTypeOf<Answer<'callEnqueueEvmToOrders'>>().toEqualTypeOf<QueuedTransfer & InBlock>();
    expectTypeOf<Answer<'callEnqueueOrdersToEvm'>>().toEqualTypeOf<QueuedTransfer & InBlock>();
    expectTypeOf<Answer<'callDequeueEvmToOrders'>['pending']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<'callDequeueOrdersToEvm'>['pending']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<'callLiquidate'>['badDebt']>().toEqualTypeOf<Wei>();
  });

  it('submitAction knows the result from the action', () => {
    const check = async () => {
      expectTypeOf(await wallet.submitAction({ action: { type: 'order', ...order } })).toEqualTypeOf<
        PlacedOrder & Inclusion
      >();
      expectTypeOf(await wallet.submitAction({ action: { type: 'lockAccount' } })).toEqualTypeOf<Done & Inclusion>();
      const signed = await wallet.signAction({ action: { type: 'cancel', orderId: 1 } });
      expectTypeOf(await publicClient.sendAction({ signed })).toEqualTypeOf<CancelledOrder & Inclusion>();
      expectTypeOf(await publicClient.waitForAction<'deposit'>({ hash: signed.hash })).toEqualTypeOf<
        Deposit & Inclusion
      >();
    };
    expectTypeOf(check).toBeFunction();
  });

  it('a wrong tif, side, unit or option of an order does not compile', () => {
    const check = async () => {
      await wallet.placeOrder({ ...order, tif: 'ioc', reduceOnly: true });
      await wallet.placeOrder({ ...order, postOnly: true, reduceOnly: true });
      await wallet.placeOrder({ ...order, market, price: market.price('1'), size: market.size('1'), postOnly: true });
      // @ts-expect-error there is no such time in force
      await wallet.placeOrder({ ...order, tif: 'day' });
      // @ts-expect-error there is no such side
      await wallet.placeOrder({ ...order, side: 'long' });
      // @ts-expect-error a size is no price
      await wallet.placeOrder({ ...order, price: market.size('1') });
      // @ts-expect-error a price is no size
      await wallet.placeOrder({ ...order, size: market.price('1') });
      // @ts-expect-error text is made a price by the market
      await wallet.placeOrder({ ...order, price: '3012.55' });
      // @ts-expect-error a float is no price
      await wallet.placeOrder({ ...order, price: 3012.55 });
      // @ts-expect-error an amount of the quote is no size
      await wallet.placeOrder({ ...order, size: market.quoteAmount('1') });
      // @ts-expect-error post-only orders rest
      await wallet.placeOrder({ ...order, tif: 'ioc', postOnly: true });
      // @ts-expect-error one self-trade mode, spelt right
      await wallet.placeOrder({ ...order, selfTrade: 'cancelMaker' });
      // @ts-expect-error a symbol is no market: getMarket finds it
      await wallet.placeOrder({ ...order, market: 'ETH/USD' });
      // @ts-expect-error a side is needed
      await wallet.placeOrder({ market: 1, price: 1n, size: 1n });
      // @ts-expect-error a misspelt option
      await wallet.placeOrder({ ...order, postonly: true });
    };
    expectTypeOf(check).toBeFunction();
  });

  it('nor does what no other action takes', () => {
    const check = async () => {
      await wallet.approveAgent({ agent: account.address, permissions: ['trade', 'cancel'] });
      // @ts-expect-error there is no such permission
      await wallet.approveAgent({ agent: account.address, permissions: ['withdraw'] });
      // @ts-expect-error an id of an order is a number
      await wallet.cancelOrder({ orderId: '0x7' });
      // @ts-expect-error amounts are bigints
      await wallet.depositCollateral({ amount: 5 });
      // @ts-expect-error a size is no amount of wei
      await wallet.depositCollateral({ amount: market.size('1') });
      // @ts-expect-error addresses begin with 0x
      await wallet.transferCollateral({ amount: 1n, to: 'bob' });
      // @ts-expect-error a batch holds no deposits
      await wallet.submitBatch({ items: [{ type: 'deposit', amount: 1n }] });
      // @ts-expect-error a batch holds no batch
      await wallet.submitBatch({ items: [{ type: 'batch', items: [] }] });
      // @ts-expect-error there is no such action
      await wallet.submitAction({ action: { type: 'mint' } });
      // @ts-expect-error floats lose digits
      market.price(3012.55);
      // @ts-expect-error there is no such rounding
      market.price('3012.55', { rounding: 'bankers' });
      // @ts-expect-error a price is shown as a price
      market.formatSize(market.price('1'));
    };
    expectTypeOf(check).toBeFunction();
  });

  it('request is typed by the schema of all methods', () => {
    const client = createPublicClient({ chain: prime, transport: http(), rpcSchema: rpcSchema<PrimeRpcSchema>() });
    const check = async () => {
      const markets = await client.request({ method: 'primeorders_getMarkets' });
      expectTypeOf(markets[0]!.symbol).toEqualTypeOf<string>();
      const order = await client.request({ method: 'primeorders_getOrder', params: ['0x1'] });
      expectTypeOf(order).not.toBeAny();
      // @ts-expect-error there is no such method
      await client.request({ method: 'primeorders_getMarket' });
      // @ts-expect-error a parameter is missing
      await client.request({ method: 'primeorders_getOrder', params: [] });
    };
    expectTypeOf(check).toBeFunction();
    expectTypeOf<PrimeRpcSchema[number]['Method']>().toEqualTypeOf<RpcMethodName>();
  });

  it('a refusal’s data follow from its kind', () => {
    const check = (error: unknown) => {
      if (error instanceof InsufficientMarginError) expectTypeOf(error.data.required).toEqualTypeOf<bigint>();
      if (error instanceof RefusalError) expectTypeOf(error.kind).toBeString();
    };
    check(null);
    expectTypeOf<InsufficientMarginError['kind']>().toEqualTypeOf<'insufficient_margin'>();
    expect(refusalKinds).toContain('insufficient_margin');
  });

  it('any bigint is a price, a size or an amount, until it says that it is something else', () => {
    expectTypeOf<bigint>().toExtend<Price>();
    expectTypeOf<bigint>().toExtend<Size>();
    expectTypeOf<Size>().not.toExtend<Price>();
    expectTypeOf<Price>().not.toExtend<Wei>();
    expectTypeOf<Price>().toExtend<bigint>();
    expectTypeOf<Action['type']>().toBeString();
  });
});
