import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Bot } from '../bot.ts';
import type { BotFill, BotFunding } from '../ledger.ts';
import type { AccountView } from '../market.ts';
import type { BotLog, StateFile } from '../ports.ts';
import { decodeLossRecord, encodeLossRecord, type LossRecord, type LossScope } from '../risk/lossRecord.ts';
import { fakeAccount, fakeBook, fakeOptions, FakeStrategy } from '../testing/fakes.ts';
import { LossKeeper } from './lossKeeper.ts';

const scope: LossScope = { genesis: `0x${'ab'.repeat(32)}`, account: `0x${'cd'.repeat(20)}`, marketId: 1 };

class MemoryFile implements StateFile {
  readonly path = 'memory';
  text: string | null = null;
  writes = 0;
  isFull = false;
  read(): string | null {
    return this.text;
  }
  write(text: string): void {
    if (this.isFull) throw new Error('no space left');
    this.writes++;
    this.text = text;
  }
}

let nowMs = 0;
const errors: object[] = [];
const log: BotLog = {
  info: () => undefined,
  warn: () => undefined,
  debug: () => undefined,
  error: (fields) => void errors.push(fields),
};
const keeperOf = (file: StateFile, of: LossScope = scope): LossKeeper =>
  new LossKeeper(file, of, { clock: { now: () => nowMs }, log });

const lossMax = 1_000n;
const bought = (blockNumber: bigint, value: bigint): BotFill => ({
  blockNumber,
  tradeId: Number(blockNumber),
  orderId: 1,
  side: 'buy',
  size: 10n,
  value,
  fee: 0n,
  liquidity: 'maker',
});

/** One process of a bot: what a runner does with its keeper, without the network. */
class Life {
  readonly bot: Bot;
  readonly keeper: LossKeeper;

  constructor(
    file: StateFile,
    account: AccountView,
    earlier: readonly BotFill[] | null = [],
    funding: readonly BotFunding[] = [],
  ) {
    const limits = { positionMax: null, notionalMax: null, lossMax };
    this.bot = new Bot(fakeOptions(new FakeStrategy(), { limits }));
    this.keeper = keeperOf(file);
    if (this.keeper.record !== null) this.bot.resume(this.keeper.record);
    this.bot.begin(1n);
    this.bot.onBook(fakeBook, 0);
    this.bot.onFunding(funding);
    this.bot.onAccountReset(account, null, earlier);
    this.tell(account);
  }

  tell(account: AccountView, ...fills: readonly BotFill[]): void {
    this.bot.onAccount(account, true, fills, 0);
  }

  step(fairPrice: bigint | null = 100n) {
    this.bot.onPrice(fairPrice);
    const record = this.bot.lossRecord;
    const reason = record === null ? null : this.keeper.keep(record);
    if (reason !== null) this.bot.halt(reason);
    return this.bot.step({ nowMs: 0, fairPrice });
  }
}

/** Quotes, buys 10 for more than they are worth, and is killed before it does anything more. */
function lifeThatLost(file: StateFile, loss: bigint): void {
  const life = new Life(file, fakeAccount());
  expect(life.step().kind).toBe('send');
  life.tell(fakeAccount({ blockNumber: 2n, position: 10n }), bought(2n, 1_000n + loss));
  life.step();
}

describe('the loss of a bot that is killed', () => {
  it.each([
    [lossMax - 1n, null],
    [lossMax, null],
    [lossMax + 1n, 'loss_limit'],
  ])('of %s, with a limit of 1000, counts on in the next process: %s', (loss, halted) => {
    const file = new MemoryFile();
    lifeThatLost(file, loss);
    const next = new Life(file, fakeAccount({ blockNumber: 2n, position: 10n }));
    expect(next.step().kind).toBe(halted === null ? 'send' : 'wait');
    expect([next.bot.halted, next.bot.ledger!.profit(100n)]).toEqual([halted, -loss]);
  });

  it.each([
    [lossMax - 500n - 1n, null],
    [lossMax - 500n, null],
    [lossMax - 500n + 1n, 'loss_limit'],
  ])('of 500 and of %s while no process lived is one loss: %s', (loss, halted) => {
    const file = new MemoryFile();
    lifeThatLost(file, 500n);
    const earlier = [bought(3n, 1_000n + loss)];
    const next = new Life(file, fakeAccount({ blockNumber: 3n, position: 20n }), earlier);
    next.step();
    expect([next.bot.halted, next.bot.ledger!.profit(100n)]).toEqual([halted, -500n - loss]);
  });

  it.each([
    [lossMax - 500n, null],
    [lossMax - 500n + 1n, 'loss_limit'],
  ])('of 500 and of %s in funding that was paid while no process lived is one loss: %s', (paid, halted) => {
    const file = new MemoryFile();
    lifeThatLost(file, 500n);
    // The first one was counted already.
    const funding = [
      { blockNumber: 2n, amount: -7n },
      { blockNumber: 3n, amount: -paid },
    ];
    const next = new Life(file, fakeAccount({ blockNumber: 3n, position: 10n }), [], funding);
    next.step();
    expect([next.bot.halted, next.bot.profit(100n)]).toEqual([halted, -500n - paid]);
  });

  it('that passed the limit stays so when prices come back, in each further process, until the file is gone', () => {
    const file = new MemoryFile();
    lifeThatLost(file, lossMax + 1n);
    const held = fakeAccount({ blockNumber: 2n, position: 10n });
    for (let process = 0; process < 3; process++) {
      const life = new Life(file, held);
      // A good price, or none.
      expect(life.step(process === 0 ? null : 10_000n)).toEqual({ kind: 'wait', why: 'pulled' });
      expect(life.bot.halted).toBe('loss_limit');
    }
    file.text = null;
    const life = new Life(file, held);
    expect([life.step().kind, life.bot.ledger!.profit(100n)]).toEqual(['send', 0n]);
  });

  it.each([
    [1n, 1n],
    [2n, 1n],
    [3n, 2n],
  ])(
    'counts a fill of block %s once or twice (%s), where a node that is behind tells what block 2 had',
    (block, times) => {
      const file = new MemoryFile();
      lifeThatLost(file, 100n);
      const next = new Life(file, fakeAccount({ blockNumber: 1n }));
      next.tell(fakeAccount({ blockNumber: block, position: block < 3n ? 10n : 20n }), bought(block, 1_100n));
      next.step();
      expect([next.bot.halted, next.bot.ledger!.profit(100n)]).toEqual([null, -100n * times]);
    },
  );

  it('is unknown where nobody can tell the fills since: it stops, and what was kept stays', () => {
    const file = new MemoryFile();
    lifeThatLost(file, 100n);
    const kept = file.text;
    // The same position, so that only the history could say what happened.
    const next = new Life(file, fakeAccount({ blockNumber: 9n, position: 10n }), null);
    expect(next.step()).toEqual({ kind: 'wait', why: 'pulled' });
    next.tell(fakeAccount({ blockNumber: 10n, position: 10n }));
    nowMs += 3_600_000;
    next.step();
    expect([next.bot.halted, file.text]).toEqual(['loss_unknown', kept]);
  });
});

describe('the file of a loss', () => {
  it('is written for each fill, and else once a minute', () => {
    const file = new MemoryFile();
    const life = new Life(file, fakeAccount());
    life.step();
    life.step();
    life.bot.onHead(2n, 0);
    nowMs += 59_999;
    life.step();
    expect(file.writes).toBe(1);
    nowMs += 1;
    life.step();
    expect([file.writes, keeperOf(file).record]).toMatchObject([2, { since: 1n, blockNumber: 2n }]);
    life.tell(fakeAccount({ blockNumber: 3n, position: 10n }), bought(3n, 1_000n));
    life.step();
    expect([file.writes, keeperOf(file).record]).toMatchObject([3, { position: 10n, cash: -1_000n }]);
  });

  it.each([
    ['was reset', (file: MemoryFile) => (file.text = null), 'state_changed'],
    [
      'is of a process that began behind a reset',
      (file: MemoryFile) => (file.text = encodeLossRecord(scope, { ...record, since: 7n })),
      'state_changed',
    ],
    ['was damaged', (file: MemoryFile) => (file.text = '{'), 'state_changed'],
    ['can not be written', (file: MemoryFile) => (file.isFull = true), 'state_unwritable'],
    [
      'says that another process passed the limit',
      (file: MemoryFile) => (file.text = encodeLossRecord(scope, { ...record, since: 1n, isReached: true })),
      'loss_limit',
    ],
  ])('that %s under a bot stops it, and it writes nothing over it: %s', (_, change, why) => {
    const file = new MemoryFile();
    const life = new Life(file, fakeAccount());
    life.step();
    change(file);
    const { text } = file;
    life.tell(fakeAccount({ blockNumber: 2n, position: 10n }), bought(2n, 1_000n));
    expect(life.step()).toMatchObject({ kind: 'cancelAll', why });
    life.step();
    expect(life.bot.halted).toBe(why);
    if (why === 'loss_limit') expect(keeperOf(file).record).toMatchObject({ isReached: true, position: 10n });
    else expect([file.text, errors.at(-1)]).toEqual([text, expect.objectContaining({ state: 'memory' })]);
  });

  const record: LossRecord = { since: 1n, blockNumber: 40n, position: -3n, cash: -12_345n, isReached: false };

  it('holds what was written, whatever that is', () => {
    const value = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const records = fc.record({
      since: value,
      blockNumber: value,
      position: value,
      cash: value,
      isReached: fc.boolean(),
    });
    fc.assert(
      fc.property(records, (any) => {
        expect(decodeLossRecord(encodeLossRecord(scope, any), 'memory')).toEqual({ scope, record: any });
      }),
    );
  });

  it('that is cut off or changed anywhere is refused: BOT_STATE_DAMAGED', () => {
    const file = new MemoryFile();
    const text = encodeLossRecord(scope, record);
    const damaged = fc.oneof(
      fc.nat(text.trimEnd().length - 1).map((length) => text.slice(0, length)),
      fc
        .tuple(fc.nat(text.length - 1), fc.constantFrom('0', '1', '9', '-', 'a', '"', '}'))
        .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1))
        .filter((changed) => changed !== text),
      fc.constantFrom('', 'null', '[]', '{}', '7', text + text),
    );
    fc.assert(
      fc.property(damaged, (bytes) => {
        file.text = bytes;
        expect(() => keeperOf(file)).toThrow(
          expect.objectContaining({ code: 'BOT_STATE_DAMAGED', detail: { code: 'BOT_STATE_DAMAGED', path: 'memory' } }),
        );
        expect(file.text).toBe(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['network', { genesis: `0x${'ac'.repeat(32)}` as const }],
    ['account', { account: `0x${'ce'.repeat(20)}` }],
    ['market', { marketId: 2 }],
  ])('of another %s is refused: BOT_STATE_FOREIGN', (what, other) => {
    const file = new MemoryFile();
    file.text = encodeLossRecord({ ...scope, ...other }, record);
    expect(() => keeperOf(file)).toThrow(
      expect.objectContaining({ code: 'BOT_STATE_FOREIGN', detail: expect.objectContaining({ what, path: 'memory' }) }),
    );
  });
});
