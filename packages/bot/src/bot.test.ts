import { describe, expect, it } from '@jest/globals';
import { Bot } from './bot.ts';
import type { BotOptions } from './botState.ts';
import type { AccountView } from './market.ts';
import { fakeAccount, fakeBook, fakeOptions, fakeOrder, FakeStrategy } from './testing/fakes.ts';

/** A bot that has begun and is told everything. */
function begun(changes: Partial<BotOptions> = {}, account: Partial<AccountView> = {}) {
  const strategy = new FakeStrategy();
  const bot = new Bot(fakeOptions(strategy, changes));
  const view = fakeAccount(account);
  bot.begin(1n);
  bot.onAccountReset(view, 100n);
  bot.onAccount(view, true, [], 0);
  bot.onBook(fakeBook, 0);
  bot.onHead(1n, 0);
  const step = (nowMs = 0, fairPrice: bigint | null = 100n) => bot.step({ nowMs, fairPrice });
  return { strategy, bot, step, view };
}
const included = (blockNumber: bigint, ...refusals: string[]) => ({ kind: 'included', blockNumber, refusals }) as const;

describe('a bot', () => {
  it('decides nothing before it knows what earlier processes left', () => {
    const bot = new Bot(fakeOptions(new FakeStrategy()));
    bot.onAccount(fakeAccount(), true, [], 0);
    bot.onBook(fakeBook, 0);
    expect(bot.step({ nowMs: 0, fairPrice: 100n })).toEqual({ kind: 'wait', why: 'starting' });
    bot.begin(2n);
    expect(bot.step({ nowMs: 0, fairPrice: 100n })).toEqual({ kind: 'wait', why: 'block' });
    bot.onHead(2n, 0);
    expect(bot.step({ nowMs: 0, fairPrice: 100n }).kind).toBe('send');
  });

  it('sends one batch at a time, and the next one from a block that has the former', () => {
    const { bot, step } = begun();
    expect(step()).toMatchObject({ kind: 'send', expiresAtMs: 5_000, items: [{ type: 'quote', price: 99n }] });
    expect(step(10)).toEqual({ kind: 'wait', why: 'in_flight' });
    bot.onOutcome('send', included(3n), 20);
    expect(step(20)).toEqual({ kind: 'wait', why: 'block' });
    bot.onAccount(fakeAccount({ blockNumber: 3n, orders: [fakeOrder()] }), true, [], 30);
    expect(step(30)).toEqual({ kind: 'wait', why: 'nothing_to_do' });
  });

  it('leaves orders alone that are not its own', () => {
    const { strategy, step } = begun({}, { orders: [fakeOrder({ clientId: null, price: 90n })] });
    strategy.wanted = { quotes: [], takes: [] };
    expect(step()).toEqual({ kind: 'wait', why: 'nothing_to_do' });
  });

  it('pauses longer and longer where it is refused, and not for what others did', () => {
    const { bot, step } = begun();
    let nowMs = 0;
    const refused = (...kinds: string[]): number => {
      expect(step(nowMs).kind).toBe('send');
      bot.onHead(bot.account!.blockNumber + 1n, nowMs);
      bot.onOutcome('send', included(bot.account!.blockNumber, ...kinds), nowMs);
      const begunMs = nowMs;
      bot.onBook(fakeBook, nowMs);
      while (step(nowMs).kind === 'wait') bot.onHead(bot.account!.blockNumber + 1n, ++nowMs);
      bot.onOutcome('send', included(bot.account!.blockNumber), nowMs);
      return nowMs - begunMs;
    };
    expect(refused('insufficient_margin')).toBe(250);
    expect(refused('post_only', 'unknown_order')).toBe(0);
    expect(refused('insufficient_margin')).toBe(250);
  });

  it.each(['unauthorized'])('halts for good where %s is answered, and takes everything back', (refusal) => {
    const { bot, step } = begun();
    step();
    bot.onOutcome('send', { kind: 'refused', refusal, reason: 'no', isFatal: true }, 0);
    expect([bot.halted, step().kind]).toEqual(['refused_for_good', 'wait']);
    bot.onAccount(fakeAccount({ blockNumber: 2n, orders: [fakeOrder()] }), true, [], 1);
    expect(step(1_000)).toMatchObject({ kind: 'cancelAll', why: 'refused_for_good' });
  });

  it.each([
    [-1_000n, null],
    [-1_001n, 'loss_limit'],
  ])('with a profit of %s and a loss limit of 1000: %s', (profit, halted) => {
    const { bot, step } = begun({ limits: { positionMax: null, notionalMax: null, lossMax: 1_000n } });
    const fill = {
      blockNumber: 2n,
      tradeId: 1,
      orderId: 1,
      side: 'buy',
      size: 10n,
      value: 1_000n - profit,
      fee: 0n,
    } as const;
    bot.onAccount(fakeAccount({ blockNumber: 2n, position: 10n }), true, [{ ...fill, liquidity: 'maker' }], 0);
    step(0, 100n);
    expect(bot.halted).toBe(halted);
  });

  describe('with funding and a loss limit of 1000', () => {
    const withLimit = () =>
      begun({ limits: { positionMax: null, notionalMax: null, lossMax: 1_000n } }, { position: 10n });
    const account = (blockNumber: bigint) => fakeAccount({ blockNumber, position: 10n });

    it.each([
      [-1_000n, null],
      [-1_001n, 'loss_limit'],
    ])('that paid %s: %s', (amount, halted) => {
      const { bot, step } = withLimit();
      bot.onFunding([{ blockNumber: 2n, amount }]);
      bot.onAccount(account(2n), true, [], 0);
      step();
      expect([bot.halted, bot.profit(100n), bot.ledger!.funding, bot.lossRecord?.cash]).toEqual([
        halted,
        amount,
        amount,
        amount - 1_000n,
      ]);
    });

    it.each([
      [-1_000n, null],
      [-1_001n, 'loss_limit'],
    ])('that owes %s: %s, and nothing of it is kept', (amount, halted) => {
      const { bot, step } = withLimit();
      bot.onUnsettledFunding({ blockNumber: 1n, amount });
      step();
      expect([bot.halted, bot.profit(100n), bot.lossRecord?.cash]).toEqual([halted, amount, -1_000n]);
    });

    it('counts what it owed once when that is settled, whichever is told first', () => {
      const { bot } = withLimit();
      bot.onUnsettledFunding({ blockNumber: 1n, amount: -600n });
      bot.onFunding([{ blockNumber: 2n, amount: -600n }]);
      expect(bot.profit(100n)).toBe(-600n);
      // From a node that is behind, and from one that is not.
      bot.onUnsettledFunding({ blockNumber: 1n, amount: -600n });
      expect(bot.profit(100n)).toBe(-600n);
      bot.onUnsettledFunding({ blockNumber: 2n, amount: -30n });
      expect(bot.profit(100n)).toBe(-630n);
    });

    it('gets what others pay', () => {
      const { bot, step } = withLimit();
      bot.onFunding([{ blockNumber: 2n, amount: 700n }]);
      bot.onUnsettledFunding({ blockNumber: 2n, amount: 300n });
      bot.onAccount(account(2n), true, [], 0);
      step(0, -100n);
      expect([bot.halted, bot.profit(-100n)]).toEqual([null, -1_000n]);
    });
  });

  it('that begins short, without a price, has lost nothing when the first one comes', () => {
    const { bot, step } = begun({ limits: { positionMax: null, notionalMax: null, lossMax: 10n } });
    const short = fakeAccount({ blockNumber: 2n, position: -7n });
    bot.onAccountReset(short, null);
    bot.onAccount(short, true, [], 0);
    step(0, 1_000n);
    expect([bot.halted, bot.ledger!.profit(1_000n)]).toEqual([null, 0n]);
    step(1, 1_002n);
    expect(bot.halted).toBe('loss_limit');
  });

  it('keeps what it lost when its account is read anew', () => {
    const { bot, view } = begun();
    const fill = { blockNumber: 2n, tradeId: 1, orderId: 1, side: 'buy', size: 10n, value: 1_500n, fee: 0n } as const;
    bot.onAccount({ ...view, position: 10n }, true, [{ ...fill, liquidity: 'maker' }], 0);
    bot.onAccountReset({ ...view, position: 12n }, 100n);
    expect([bot.ledger!.position, bot.ledger!.profit(100n)]).toEqual([12n, -500n]);
  });

  it('halts where its fills do not make the position that the chain has', () => {
    const { bot } = begun();
    bot.onAccount(fakeAccount({ blockNumber: 2n, position: 1n }), true, [], 0);
    expect(bot.halted).toBe('positions_disagree');
  });

  it.each([
    ['a chain that stands still', 'feed_silent'],
    ['a book that may be old', 'book_stale'],
    ['an account that is not sure', 'account_unsure'],
    ['a strategy that throws', 'strategy_silent'],
  ])('takes its quotes back for %s, once it is over the limit, and comes back', (_, why) => {
    const { bot, step, strategy } = begun();
    step();
    bot.onOutcome('send', included(2n), 0);
    const resting = fakeAccount({ blockNumber: 2n, orders: [fakeOrder()] });
    bot.onAccount(resting, true, [], 0);
    bot.onHead(2n, 0);
    if (why === 'book_stale') bot.onBookStatus(false);
    if (why === 'account_unsure') bot.onAccount(resting, false, [], 0);
    if (why === 'strategy_silent') strategy.wanted = new Error('no data');
    if (why !== 'feed_silent') bot.onHead(3n, 900);
    expect(step(1_000).kind).toBe('wait');
    expect(step(1_001)).toMatchObject({ kind: 'cancelAll', why });
    expect(step(1_002)).toEqual({ kind: 'wait', why: 'pulled' });
    bot.onOutcome('cancelAll', included(4n), 1_100);
    strategy.wanted = { quotes: [{ side: 'buy', price: 97n, size: 10n }], takes: [] };
    bot.onBook(fakeBook, 1_200);
    bot.onAccount(fakeAccount({ blockNumber: 4n }), true, [], 1_200);
    bot.onHead(5n, 1_200);
    // A strategy that was silent is asked once more before it is believed.
    const kinds = [step(1_200).kind, step(1_300).kind];
    expect([kinds.includes('send'), bot.pulled]).toEqual([true, null]);
  });

  it('goes on cancelling while orders rest or may come, a second apart', () => {
    const { bot, step } = begun();
    step();
    bot.halt('stopped');
    expect(step(1).kind).toBe('cancelAll');
    bot.onOutcome('cancelAll', included(2n), 2);
    bot.onHead(2n, 2);
    expect([step(3).kind, step(1_000).kind, step(1_001).kind]).toEqual(['wait', 'wait', 'cancelAll']);
    bot.onOutcome('cancelAll', included(3n), 1_002);
    bot.onOutcome('send', { kind: 'expired', blockNumber: 4n }, 1_002);
    expect(bot.isSettled).toBe(false);
    bot.onHead(4n, 1_003);
    expect([bot.isSettled, step(3_000).kind]).toEqual([true, 'wait']);
  });

  it.each([
    [1, ['cancel', 'quote']],
    [2, ['cancel', 'quote', 'quote']],
    [3, ['cancel', 'quote', 'quote']],
  ])('with %i items a second sends %j: cancels always, the rest as the rate allows', (itemsPerSecond, types) => {
    const { strategy, step } = begun(
      { itemsPerSecond },
      { orders: [fakeOrder({ side: 'sell', price: 120n, expiresAtSeconds: 1 })] },
    );
    strategy.wanted = {
      quotes: [
        { side: 'buy', price: 99n, size: 1n },
        { side: 'buy', price: 98n, size: 1n },
      ],
      takes: [],
    };
    const decision = step();
    expect(decision.kind === 'send' && decision.items.map(({ type }) => type)).toEqual(types);
    expect(decision.kind === 'send' && decision.cut).toEqual(itemsPerSecond === 1 ? ['rate'] : []);
  });
});
