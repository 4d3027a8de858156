import { type ActionPayload, defaultMarketDecimals, ordersAddress } from '@prime/codec';
import { marketRefusalCases } from './marketRefusalCases.ts';
import type { RefusalCase } from './refusalCase.ts';
import { admin, governanceRefusalCases } from './governanceRefusalCases.ts';
import { addressOf, alice, bob, carol, gateway, marketId, order, orderId, startMs } from './harness.ts';
import { triggerRefusalCases } from './triggers.ts';
import { subAccountRefusalCases } from './subAccountRefusalCases.ts';

/** Every refusal with its exact words, each in a scene where everything else is in order: refusals.test.ts has it. */

const clientId = `0x${'cd'.repeat(16)}`;
const noop: ActionPayload = { type: 'noop' };

const setMargin = (initialMarginBps: number, maintenanceMarginBps: number): ActionPayload => ({
  type: 'setMargin',
  marketId: null,
  initialMarginBps,
  maintenanceMarginBps,
});
const addMarket = (symbol: string, tickSize = 1n): ActionPayload => ({
  type: 'addMarket',
  symbol,
  tickSize,
  lotSize: 1n,
  ...defaultMarketDecimals,
});
const onGrid = { marketId: marketId(1) };

/** By what they are about; names are those of tests. */
export const refusalCases: readonly RefusalCase[] = [
  ...marketRefusalCases,
  ...governanceRefusalCases,
  ...triggerRefusalCases,
  {
    name: 'an order in a market that is not there',
    code: 'CLOB_UNKNOWN_MARKET',
    words: 'unknown market 7',
    payload: order('buy', 1n, 1n, { marketId: marketId(7) }),
  },
  {
    name: 'a price off the grid',
    code: 'CLOB_PRICE_OFF_TICK',
    words: 'price is not a multiple of tick size 0x5',
    payload: order('buy', 101n, 10n, onGrid),
  },
  {
    name: 'a size off the grid',
    code: 'CLOB_SIZE_OFF_LOT',
    words: 'size is not a multiple of lot size 0xa',
    payload: order('buy', 100n, 11n, onGrid),
  },
  { name: 'a price of zero', code: 'CLOB_BAD_PRICE', words: 'price must be positive', payload: order('buy', 0n, 1n) },
  { name: 'a size of zero', code: 'CLOB_BAD_SIZE', words: 'size must be positive', payload: order('buy', 1n, 0n) },
  {
    name: 'a notional below the minimum',
    code: 'CLOB_NOTIONAL_TOO_SMALL',
    words: 'notional is below 0x10',
    payload: order('buy', 3n, 5n),
  },
  {
    name: 'a position beyond what a record holds',
    code: 'CLOB_POSITION_TOO_LARGE',
    words: 'position would be too large',
    payload: order('buy', 1n << 100n, 1n << 127n),
  },
  {
    name: 'a post-only ioc',
    code: 'CLOB_BAD_FLAGS',
    words: 'post-only order must be gtc',
    payload: order('buy', 10n, 10n, { postOnly: true, tif: 'ioc' }),
  },
  {
    name: 'an order beyond the collateral',
    code: 'CLOB_INSUFFICIENT_MARGIN',
    words: 'insufficient margin: required 0x2710, free 0x3e8',
    payload: order('buy', 100n, 1000n),
  },
  {
    name: 'an unfunded deposit',
    code: 'CLOB_INSUFFICIENT_FUNDS',
    words: 'insufficient funds',
    payload: { type: 'deposit', amount: 5n },
    more: () => ({ funded: false }),
  },
  {
    name: 'a cancel of an order that never was',
    code: 'CLOB_UNKNOWN_ORDER',
    words: 'unknown order 0x63',
    payload: { type: 'cancel', orderId: orderId(99) },
  },
  {
    name: 'a cancel by an unknown client id',
    code: 'CLOB_UNKNOWN_CLIENT_ID',
    words: `unknown client id ${clientId}`,
    payload: { type: 'cancelByClientId', marketId: marketId(2), clientId },
  },
  {
    name: "a cancel of someone else's order",
    code: 'CLOB_NOT_OWNER',
    words: 'order 0x1 belongs to another account',
    payload: { type: 'cancel', orderId: orderId(1) },
    prepare: (harness) => void harness.act(bob, order('buy', 10n, 10n)),
  },
  {
    name: 'a client id that is in use',
    code: 'CLOB_DUPLICATE_CLIENT_ID',
    words: 'duplicate client id',
    payload: order('buy', 10n, 10n, { clientId }),
    prepare: (harness) => void harness.act(alice, order('buy', 10n, 10n, { clientId })),
  },
  {
    name: 'a post-only order that would cross',
    code: 'CLOB_POST_ONLY_WOULD_CROSS',
    words: 'post-only order would cross',
    payload: order('buy', 10n, 10n, { postOnly: true }),
    prepare: (harness) => void harness.act(bob, order('sell', 10n, 10n)),
  },
  {
    name: 'a reduce-only order without a position',
    code: 'CLOB_REDUCE_ONLY_WOULD_INCREASE',
    words: 'reduce-only order would increase the position',
    payload: order('buy', 10n, 10n, { tif: 'ioc', reduceOnly: true }),
  },
  {
    name: 'an order that is over already',
    code: 'CLOB_ORDER_EXPIRED',
    words: 'order is expired',
    payload: order('buy', 10n, 10n, { expiresAt: 1000 }),
  },
  {
    name: 'an order that says milliseconds where seconds are meant',
    code: 'CLOB_BAD_EXPIRY',
    words: 'expires_at is in seconds: 1700000000000 is a time in milliseconds',
    payload: order('buy', 10n, 10n, { expiresAt: 1_700_000_000_000 }),
  },
  {
    name: 'a market whose symbol is taken',
    code: 'CLOB_MARKET_EXISTS',
    words: 'market ETH/USD exists',
    payload: addMarket('ETH/USD'),
    more: () => ({ account: admin, signatureKind: 'raw' }),
  },
  {
    name: 'a symbol without a quote',
    code: 'CLOB_BAD_SYMBOL',
    words: 'symbol must be <BASE>/<QUOTE>',
    payload: addMarket('ETH'),
    more: () => ({ account: admin, signatureKind: 'raw' }),
  },
  {
    name: 'a tick size of zero',
    code: 'CLOB_BAD_GRID',
    words: 'tick size and lot size must be positive',
    payload: addMarket('A/B', 0n),
    more: () => ({ account: admin, signatureKind: 'raw' }),
  },
  {
    name: 'maintenance above initial margin',
    code: 'CLOB_BAD_MARGIN_PARAMS',
    words: 'margin parameters must satisfy 1 <= maintenance <= initial <= 10000',
    payload: setMargin(100, 200),
    more: () => ({ account: admin, signatureKind: 'raw' }),
  },
  {
    name: 'a market added by anyone',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${alice} may not act for ${admin}`,
    payload: addMarket('A/B'),
    more: () => ({ signatureKind: 'raw' }),
  },
  {
    name: 'the admin without a signature',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${gateway} may not act for ${admin}`,
    payload: setMargin(200, 100),
    more: () => ({ account: admin }),
  },
  {
    name: 'the account as its own agent',
    code: 'CLOB_BAD_AGENT',
    words: 'an account is no agent of its own',
    payload: { type: 'approveAgent', agent: alice, expiry: 0, permissions: 1, name: '' },
  },
  {
    name: 'permissions that do not exist',
    code: 'CLOB_BAD_AGENT',
    words: 'permissions must be 1 to 15',
    payload: { type: 'approveAgent', agent: bob, expiry: 0, permissions: 16, name: '' },
  },
  {
    name: 'an approval that is over already',
    code: 'CLOB_BAD_AGENT',
    words: 'the approval has expired already',
    payload: { type: 'approveAgent', agent: bob, expiry: 1, permissions: 1, name: '' },
  },
  {
    name: 'the end of an agent that never was',
    code: 'CLOB_UNKNOWN_AGENT',
    words: `unknown agent ${bob}`,
    payload: { type: 'revokeAgent', agent: bob },
  },
  {
    name: 'the second end of an agent',
    code: 'CLOB_AGENT_REVOKED',
    words: `agent ${bob} was revoked and can not come back`,
    payload: { type: 'revokeAgent', agent: bob },
    prepare: (harness) => {
      harness.act(alice, { type: 'approveAgent', agent: bob, expiry: 0, permissions: 1, name: '' });
      harness.act(alice, { type: 'revokeAgent', agent: bob });
    },
  },
  {
    name: 'an agent too many',
    code: 'CLOB_TOO_MANY_AGENTS',
    words: 'too many agents',
    payload: { type: 'approveAgent', agent: bob, expiry: 0, permissions: 1, name: '' },
    prepare: (harness) => {
      for (let index = 1; index <= 64; index++)
        harness.act(alice, { type: 'approveAgent', agent: addressOf(index), expiry: 0, permissions: 1, name: '' });
    },
  },
  ...subAccountRefusalCases,
  {
    name: 'a signature of someone else',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${bob} may not act for ${alice}`,
    payload: noop,
    more: () => ({ signatureKind: 'raw', signer: bob }),
  },
  {
    name: 'an unsigned action of an account that signs',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${gateway} may not act for ${alice}`,
    payload: noop,
    prepare: (harness) => void harness.act(alice, noop, { signatureKind: 'raw' }),
  },
  {
    name: 'a gateway nonce a second time',
    code: 'CLOB_NONCE',
    words: 'nonce used',
    payload: noop,
    prepare: (harness) => void harness.act(alice, noop, { nonce: startMs * 1000 + 100 }),
    more: () => ({ nonce: startMs * 1000 + 100 }),
  },
  {
    name: 'an action after its time',
    code: 'CLOB_EXPIRED',
    words: 'action is expired',
    payload: noop,
    more: (harness) => ({ expiresAt: harness.now() - 1 }),
  },
  {
    name: 'one order too many',
    code: 'CLOB_TOO_MANY_OPEN_ORDERS',
    words: 'too many open orders',
    payload: order('buy', 10n, 10n),
    prepare: (harness) => {
      for (let count = 0; count < 3; count++) harness.act(alice, order('buy', 10n, 10n));
    },
  },
  {
    name: 'a liquidation of a healthy account',
    code: 'CLOB_NOT_LIQUIDATABLE',
    words: `account ${bob} is not liquidatable`,
    payload: { type: 'liquidate', address: bob },
  },
  {
    name: 'a liquidation of an account that was never there',
    code: 'CLOB_NOT_LIQUIDATABLE',
    words: `account ${carol} is not liquidatable`,
    payload: { type: 'liquidate', address: carol },
  },
  {
    name: 'a withdrawal of more than is free',
    code: 'CLOB_INSUFFICIENT_COLLATERAL',
    words: 'insufficient collateral',
    payload: { type: 'withdraw', to: bob, amount: 1001n },
  },
  {
    name: 'a transfer of more than is free',
    code: 'CLOB_INSUFFICIENT_COLLATERAL',
    words: 'insufficient collateral',
    payload: { type: 'transfer', to: bob, amount: 901n },
    // Margin of the order: ceil(100 * 10 * 10 %).
    prepare: (harness) => void harness.act(alice, order('buy', 100n, 10n)),
  },
  {
    name: 'a withdrawal of profit that nobody paid yet',
    code: 'CLOB_PROFIT_UNPAID',
    words: 'market 2 has not paid 0x64 of the profit yet',
    payload: { type: 'withdraw', to: bob, amount: 1001n },
    // She sells at 110 what she bought at 100; who lost by it still holds his position.
    prepare: (harness) => {
      for (const address of [bob, carol]) harness.deposit(address, 1000n);
      for (const [seller, buyer, price] of [
        [bob, alice, 100n],
        [alice, carol, 110n],
      ] as const) {
        harness.act(seller, order('sell', price, 10n));
        harness.act(buyer, order('buy', price, 10n));
      }
    },
  },
  {
    name: 'a withdrawal of nothing',
    code: 'CLOB_BAD_AMOUNT',
    words: 'amount must be positive',
    payload: { type: 'withdraw', to: bob, amount: 0n },
  },
  {
    name: 'a deposit of nothing',
    code: 'CLOB_BAD_AMOUNT',
    words: 'amount must be positive',
    payload: { type: 'deposit', amount: 0n },
  },
  {
    name: 'a transfer of nothing into the order book',
    code: 'CLOB_BAD_AMOUNT',
    words: 'amount must be positive',
    payload: { type: 'enqueueEvmToOrders', to: bob, amount: 0n },
  },
  {
    name: 'a transfer to the escrow account',
    code: 'CLOB_BAD_RECIPIENT',
    words: `${ordersAddress} can not hold collateral`,
    payload: { type: 'transfer', to: ordersAddress, amount: 1n },
  },
  {
    name: 'a transfer into a full queue',
    code: 'CLOB_TOO_MANY_TRANSFERS',
    words: 'too many transfers wait',
    payload: { type: 'withdraw', to: bob, amount: 1n },
    prepare: ({ state }) => {
      const waiting = { direction: 'orders_to_evm', from: bob, to: bob, amount: 0n, createdBlock: 1 } as const;
      for (let transferId = 1; transferId <= 100_000; transferId++) state.transfers.load({ transferId, ...waiting });
    },
  },
  {
    name: 'a transfer from the EVM without the wei',
    code: 'CLOB_INSUFFICIENT_FUNDS',
    words: 'insufficient funds',
    payload: { type: 'enqueueEvmToOrders', to: bob, amount: 1n },
    more: () => ({ funded: false }),
  },
  {
    name: 'a cancel of an order that was filled',
    code: 'CLOB_ORDER_FILLED',
    words: 'order 0x1 is already filled',
    payload: { type: 'cancel', orderId: orderId(1) },
    prepare: (harness) => {
      harness.act(alice, order('buy', 10n, 10n));
      harness.act(bob, order('sell', 10n, 10n));
    },
  },
  {
    name: 'a change of an order that was cancelled',
    code: 'CLOB_ORDER_CANCELLED',
    words: 'order 0x1 is already cancelled',
    payload: { type: 'modify', orderId: orderId(1), price: 10n, size: 5n },
    prepare: (harness) => {
      harness.act(alice, order('buy', 10n, 10n));
      harness.act(alice, { type: 'cancel', orderId: orderId(1) });
    },
  },
];
