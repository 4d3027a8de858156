import { describe, expect, it } from '@jest/globals';
import type { RefusalData, RefusalKind } from '../errors/refusalData.ts';
import { refusalKinds } from '../errors/refusal.ts';
import { explainedRefusals, explainRefusal, refusalMeaning, toldRefusal } from './refusal.ts';

const address = `0x${'11'.repeat(20)}` as const;
const coins = (count: bigint): bigint => count * 10n ** 18n;
const market = { symbol: 'ETH/USD', base: 'ETH', formatPrice: String, formatSize: String };
const beside = { nearestBelow: 100n, nearestAbove: 105n };

/** One case of every kind. */
const cases: { readonly [kind in RefusalKind]: RefusalData[kind] } = {
  unknown_market: { marketId: 9 },
  tick: { price: 101n, tickSize: 5n, ...beside },
  lot: { size: 101n, lotSize: 5n, ...beside },
  bad_price: { price: 0n, tickSize: 5n, ...beside },
  bad_size: { size: 0n, lotSize: 5n, ...beside },
  notional_too_small: { minNotional: coins(10n) },
  order_notional: { notional: coins(11n), orderNotionalMax: coins(10n) },
  price_band: { price: 120n, markPrice: 100n, lowest: null, highest: 110n },
  position_limit: { possible: 11n, positionMax: 10n },
  open_interest: { openInterest: 9n, opened: 2n, openInterestMax: 10n },
  position_too_large: {},
  bad_flags: {},
  insufficient_margin: { required: coins(12n), free: coins(3n) },
  insufficient_funds: {},
  insufficient_collateral: { withdrawable: coins(3n) },
  profit_unpaid: { marketId: 2, unpaid: coins(5n), withdrawable: coins(3n) },
  bad_amount: {},
  bad_recipient: { address },
  too_many_transfers: { limit: 100 },
  not_liquidatable: { address },
  unknown_order: { orderId: 7 },
  order_filled: { orderId: 7 },
  order_cancelled: { orderId: 7 },
  unknown_client_id: { clientId: '0xab' },
  not_owner: { orderId: 7 },
  duplicate_client_id: { orderId: 7 },
  post_only: {},
  reduce_only: {},
  order_expired: {},
  bad_expiry: { expiresAt: 1_700_000_000_000 },
  market_exists: { symbol: 'ETH/USD' },
  bad_symbol: {},
  bad_grid: {},
  bad_margin_params: {},
  unauthorized: { signer: address, account: address },
  owns_nothing: { signer: address },
  bad_agent: {},
  agent_revoked: { agent: address },
  unknown_agent: { agent: address },
  too_many_agents: { limit: 16 },
  sub_account: { account: address, owner: address },
  sub_account_exists: { address, owner: address, index: 1 },
  too_many_sub_accounts: { limit: 128 },
  nonce: {},
  expired: {},
  too_many_open_orders: { limit: 1_000 },
  cancel_only_market: { marketId: 3 },
  market_halted: { marketId: 3 },
  market_settling: { marketId: 3 },
  market_delisted: { marketId: 3 },
  bad_change: { parameter: 'status', value: 'delisted', allowed: 'trading' },
  not_a_validator: { account: address },
  bad_proposal: { activationHeight: 5, leastHeight: 10, mostHeight: 90 },
  too_many_proposals: { limit: 64 },
  unknown_proposal: { proposal: `0x${'07'.repeat(32)}` },
  too_many_triggers: { limit: 100 },
  bad_schedule: { atMs: 1_700_000_000, earliestMs: 1_700_000_005_000 },
  block_full: { limit: 5_000 },
  oracle_stale: { marketId: 3 },
  post_only_market: { marketId: 3, untilMs: 1_750_000_030_000 },
  not_a_reporter: { signer: address, account: address },
  bad_report: {},
  not_available: { type: 'batch' },
  fixed_validators: {},
  unknown_validator: {},
  already_registered: {},
  tombstoned: {},
  stake_too_small: { stake: coins(1n), minStake: coins(2n) },
  bad_moniker: {},
  bad_endpoint: {},
  bad_signer: {},
  signer_in_use: {},
  too_many_changes: { limit: 16 },
  too_many_validators: { limit: 100 },
  too_few_validators: { minValidators: 4 },
  too_much_power: { power: 2n, total: 4n },
  not_jailed: {},
  jailed: {},
  still_jailed: { jailedUntilMs: 0 },
};

const isSentences = (text: string): boolean => /^[A-Z0].*\.$/s.test(text) && !/undefined|NaN|\[object/.test(text);

describe('refusals in words', () => {
  it('every kind has sentences, and no other', () => {
    expect([...explainedRefusals].toSorted()).toEqual([...refusalKinds].toSorted());
  });

  it.each(refusalKinds)('%s: with its figures, with and without its market, and without a case', (kind) => {
    for (const known of [market, null])
      expect(isSentences(explainRefusal({ kind, message: 'undefined', data: cases[kind] }, known))).toBe(true);
    const data = Object.values(cases[kind]).filter((value) => typeof value === 'number' || typeof value === 'bigint');
    const meaning = refusalMeaning(kind)!;
    expect(isSentences(meaning)).toBe(true);
    // What needs figures has another sentence without.
    if (data.length > 0) expect(meaning).not.toBe(explainRefusal({ kind, message: '', data: cases[kind] }, market));
  });
});

describe('a refusal', () => {
  const told = (kind: RefusalKind, known: typeof market | null = market): string =>
    explainRefusal({ kind, message: 'words', data: cases[kind] }, known);

  it('says by how much, and what would do', () => {
    expect(told('insufficient_margin')).toBe(
      'It needs 12 PRIME of margin, and 3 PRIME of the collateral are free: 9 PRIME are missing. Deposit more, cancel other orders, or make it smaller.',
    );
    expect(told('tick')).toBe('Prices of ETH/USD are multiples of 5, and 101 is none. The nearest are 100 and 105.');
    expect(told('lot', null)).toBe(
      'Sizes are multiples of 5 units, and 101 units is none. The nearest are 100 units and 105 units.',
    );
  });

  it('of a kind or with figures that this version does not know, has the words of the node', () => {
    expect(explainRefusal({ kind: 'new_kind', message: 'something new', data: {} }, null)).toBe('something new.');
    expect(explainRefusal({ kind: 'insufficient_margin', message: 'no margin', data: {} }, null)).toBe('no margin.');
    expect(refusalMeaning('new_kind')).toBeNull();
    expect(refusalMeaning('constructor')).toBeNull();
  });

  it('is read as results of actions have it', () => {
    const data = { kind: 'insufficient_margin', required: '0xa', free: '-0x1' };
    const error = { code: 'CLOB_INSUFFICIENT_MARGIN', message: 'no', data };
    expect(toldRefusal(error)).toEqual({
      kind: 'insufficient_margin',
      message: 'no',
      data: { required: 10n, free: -1n },
    });
    expect(toldRefusal({ code: 'STAKING_JAILED', message: 'no', data: {} }).kind).toBe('jailed');
  });
});
