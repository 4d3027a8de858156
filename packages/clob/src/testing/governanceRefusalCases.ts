import type { Change, MarketStatus } from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import { addressOf, alice, order, orderId } from './harness.ts';
import type { RefusalCase } from './refusalCase.ts';

/** Refusals by the state of a market, and of changes of parameters; refusalCases.ts has the others. */

/** Of the scene: who may set parameters. */
export const admin = addressOf(0xad);

const inState = (status: MarketStatus): Pick<RefusalCase, 'prepare'> => ({
  prepare: ({ state }) => void (state.markets[1]!.status = status),
});
const byAdmin = { account: admin, signer: admin, signatureKind: 'raw' } as const;
const change = (of: Change, atHeight = 0): Pick<RefusalCase, 'payload' | 'more'> => ({
  payload: { type: 'change', change: of, atHeight },
  more: ({ now }) => ({ ...byAdmin, nonce: now() + 1 }),
});
const second = 2 as MarketId;
const statusOf = (status: MarketStatus, price: bigint | null = null, marketId: MarketId | null = second): Change => ({
  parameter: 'status',
  marketId,
  value: { status, price },
});
const fees = { takerPpm: 100, makerPpm: 0, treasury: null, treasuryShareBps: 0 };
const feesOf = (more: Partial<typeof fees>): Change => ({
  parameter: 'fees',
  marketId: null,
  value: { ...fees, ...more },
});

/** By what they are about; names are those of tests. */
export const governanceRefusalCases: readonly RefusalCase[] = [
  {
    name: 'an order that would take in a market that is post-only',
    code: 'CLOB_POST_ONLY_MARKET',
    words: 'the market takes only post-only orders now',
    payload: order('buy', 10n, 10n),
    ...inState('post_only'),
  },
  {
    name: 'an order in a market that is cancel-only',
    code: 'CLOB_CANCEL_ONLY_MARKET',
    words: 'the market takes no orders now, only cancels',
    payload: order('buy', 10n, 10n, { postOnly: true }),
    ...inState('cancel_only'),
  },
  {
    name: 'an order in a market that is halted',
    code: 'CLOB_MARKET_HALTED',
    words: 'the market is halted',
    payload: order('buy', 10n, 10n),
    ...inState('halted'),
  },
  {
    name: 'a cancel in a market that is halted',
    code: 'CLOB_MARKET_HALTED',
    words: 'the market is halted',
    payload: { type: 'cancel', orderId: orderId(1) },
    prepare: (harness) => {
      harness.act(alice, order('buy', 10n, 10n));
      harness.state.markets[1]!.status = 'halted';
    },
  },
  {
    name: 'a cancel of all orders of a market that is halted',
    code: 'CLOB_MARKET_HALTED',
    words: 'the market is halted',
    payload: { type: 'cancelAll', marketId: second },
    ...inState('halted'),
  },
  {
    name: 'an order in a market that is being settled',
    code: 'CLOB_MARKET_SETTLING',
    words: 'the market is being settled',
    payload: order('buy', 10n, 10n),
    ...inState('settling'),
  },
  {
    name: 'an order in a market that is delisted',
    code: 'CLOB_MARKET_DELISTED',
    words: 'the market is delisted',
    payload: order('buy', 10n, 10n),
    ...inState('delisted'),
  },
  {
    name: 'a change of a market that is being settled',
    code: 'CLOB_MARKET_SETTLING',
    words: 'the market is being settled',
    ...change(statusOf('trading')),
    ...inState('settling'),
  },
  {
    name: 'a change by another account than the admin',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${alice} may not act for ${admin}`,
    ...change(statusOf('halted')),
    more: ({ now }) => ({ account: alice, signer: alice, signatureKind: 'raw', nonce: now() + 1 }),
  },
  {
    name: 'a change that nobody signed, on a network without an admin',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${addressOf(0x6a7e)} may not act for ${alice}`,
    ...change(statusOf('halted')),
    more: () => ({ account: alice }),
    params: { admin: null },
  },
  {
    name: 'a state that a market comes to by itself',
    code: 'CLOB_BAD_CHANGE',
    words: 'status = delisted: allowed is trading, post_only, cancel_only, halted, settling',
    ...change(statusOf('delisted')),
  },
  {
    name: 'a settlement without a price where there is no oracle',
    code: 'CLOB_BAD_CHANGE',
    words: 'price = null: allowed is a price: the market has no oracle',
    ...change(statusOf('settling')),
  },
  {
    name: 'a settlement at nothing',
    code: 'CLOB_BAD_CHANGE',
    words: 'price = 0: allowed is above 0 and below 2^127',
    ...change(statusOf('settling', 0n)),
  },
  {
    name: 'a price of a state that has none',
    code: 'CLOB_BAD_CHANGE',
    words: 'price = 5: allowed is null for halted',
    ...change(statusOf('halted', 5n)),
  },
  {
    name: 'a state of no market',
    code: 'CLOB_BAD_CHANGE',
    words: 'market = null: allowed is the id of a market',
    ...change(statusOf('halted', null, null)),
  },
  {
    name: 'fees of one market',
    code: 'CLOB_BAD_CHANGE',
    words: 'market = 2: allowed is null: it is of all markets',
    ...change({ ...feesOf({}), marketId: second } as Change),
  },
  {
    name: 'fees above the most',
    code: 'CLOB_BAD_CHANGE',
    words: 'fees.takerPpm = 100001: allowed is a whole number from 0 to 100000',
    ...change(feesOf({ takerPpm: 100_001 })),
  },
  {
    name: 'a rebate above the fee',
    code: 'CLOB_BAD_CHANGE',
    words: "fees.makerPpm = -101: allowed is -takerPpm (-100) or more: a rebate comes out of the taker's fee",
    ...change(feesOf({ makerPpm: -101 })),
  },
  {
    name: 'a margin without maintenance',
    code: 'CLOB_BAD_CHANGE',
    words: 'margin.maintenanceMarginBps = 0: allowed is 1 to initialMarginBps (100)',
    ...change({
      parameter: 'margin',
      marketId: second,
      value: { initialMarginBps: 100, maintenanceMarginBps: 0 },
    }),
  },
  {
    name: 'an oracle where there is none',
    code: 'CLOB_BAD_CHANGE',
    words: 'oracle = set: allowed is nothing: this network has no oracle',
    ...change({
      parameter: 'oracle',
      marketId: null,
      value: {
        reportMaxAgeMs: 1,
        staleMs: 1,
        maxMoveBps: 0,
        resumeAfterMs: 0,
        resumeMoveBps: 0,
        resumeMs: 0,
        eventBps: 0,
        premiumMaxBps: 0,
        settlePerBlock: 0,
      },
    }),
  },
  {
    name: 'a change in the past',
    code: 'CLOB_BAD_PROPOSAL',
    words: 'activation_height = 3: allowed is 4 to 10000003',
    ...change(statusOf('halted'), 3),
  },
  {
    name: 'a proposal of somebody who is no validator',
    code: 'CLOB_NOT_A_VALIDATOR',
    words: `${alice} is no owner of an active validator`,
    payload: {
      type: 'propose',
      change: statusOf('halted'),
      activationHeight: 20 as Height,
      expiryHeight: 15 as Height,
    },
    more: ({ now }) => ({ account: alice, signer: alice, signatureKind: 'raw', nonce: now() + 1 }),
  },
];
