/** What a mempool chooses for a block follows from what waits, in which order it came, and nothing else that it saw before. */
import { describe, expect, it } from '@jest/globals';
import type { VerifiedAction, VerifiedTransaction } from '@prime/codec';
import { type Address, assert, createPrng, type Hash, isPrimeError, type Prng } from '@prime/primitives';
import fc from 'fast-check';
import type { Mempool } from './mempool.ts';
import { action, commit, create, gwei, hashesOf, transaction } from './testing/entries.ts';

const senders = Array.from(
  { length: 40 },
  (_, index) => `0x${(0x100 + index).toString(16).padStart(40, '0')}` as Address,
);
const pick = <T>(random: Prng, items: readonly T[]): T => items[random.below(items.length)]!;
const startMs = 1_700_000_000_000;

interface Account {
  nonce: number;
  balance: bigint;
}

/** A mempool, and in plain lists what waits in it, by arrival. */
class World {
  readonly mempool = create();
  readonly random: Prng;
  readonly accounts = new Map<Address, Account>(senders.map((sender) => [sender, { nonce: 0, balance: 10n ** 20n }]));
  readonly arrivals: (VerifiedTransaction | VerifiedAction)[] = [];
  timeMs = startMs;

  constructor(seed: number) {
    this.random = createPrng(seed);
  }

  /** Many come in one round, a few of them in place of others. */
  fill(count: number): void {
    const { random, mempool } = this;
    for (let index = 0; index < count; index++) {
      const sender = pick(random, senders);
      const account = this.accounts.get(sender)!;
      const tip = gwei * BigInt(1 + random.below(9));
      const item = random.chance(1, 3)
        ? action({ signer: sender, nonce: this.timeMs + random.below(60_000), size: 100 + random.below(400) })
        : transaction({
            sender,
            nonce: (mempool.pendingNonce(sender) ?? account.nonce) - (random.chance(1, 9) ? 1 : 0),
            maxFeePerGas: 20n * gwei + tip,
            maxPriorityFeePerGas: tip,
            gasLimit: 21_000n * BigInt(1 + random.below(4)),
            raw: new Uint8Array(100 + random.below(300)),
          });
      if (put(mempool, item, account)) this.arrivals.push(item);
    }
  }

  /** A block with what the mempool chose, all of it or a part; what is left out has waited since. */
  commit(): void {
    const { random, mempool, accounts } = this;
    const portion = room(random);
    const transactions = mempool.selectTransactions(portion);
    const actions = mempool.selectActions({ maxBytes: portion.maxBytes, maxCount: 1 + random.below(300) });
    const changed = new Set<Address>();
    for (const { sender, value, gasLimit, maxFeePerGas } of transactions) {
      const account = accounts.get(sender)!;
      accounts.set(sender, { nonce: account.nonce + 1, balance: account.balance - value - gasLimit * maxFeePerGas });
      changed.add(sender);
    }
    this.timeMs += 1000;
    mempool.onCommit(
      commit({
        transactions: hashesOf(transactions),
        actions: hashesOf(actions),
        accounts: [...changed].map((address) => ({ address, ...accounts.get(address)! })),
        timestampMs: this.timeMs,
      }),
    );
  }

  /** A mempool that was just started and hears of what waits. */
  fresh(): Mempool {
    const mempool = create();
    mempool.onCommit(commit({ timestampMs: this.timeMs }));
    const waits = new Set<Hash>(hashesOf([...this.mempool.content()]));
    const waiting = this.arrivals.filter(({ hash }) => waits.has(hash));
    assert(waiting.length === waits.size, 'something waits that did not come');
    for (const item of waiting)
      assert(put(mempool, item, this.accounts.get(senderOf(item))!), `${item.hash} is refused by a fresh mempool`);
    return mempool;
  }
}

const senderOf = (item: VerifiedTransaction | VerifiedAction): Address =>
  'sender' in item ? item.sender : item.signer;

function put(mempool: Mempool, item: VerifiedTransaction | VerifiedAction, account: Account): boolean {
  try {
    if ('sender' in item) mempool.addTransaction(item, account);
    else mempool.addAction(item);
    return true;
  } catch (error) {
    if (isPrimeError(error)) return false;
    throw error;
  }
}

const room = (random: Prng) => ({
  baseFee: gwei * BigInt(random.below(4)),
  gasLimit: 21_000n * BigInt(1 + random.below(300)),
  maxBytes: 1000 + random.below(40_000),
});

describe('what a mempool selects', () => {
  it('is what one that was just started selects from the same', () => {
    let selected = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
        const world = new World(seed);
        const { random, mempool } = world;
        for (const count of [1, 63, 64, 65, 300, 2]) {
          world.fill(count);
          const fresh = world.fresh();
          for (let turn = 0; turn < 3; turn++) {
            const chosen = room(random);
            const transactions = hashesOf(mempool.selectTransactions(chosen));
            expect(hashesOf(fresh.selectTransactions(chosen))).toEqual(transactions);
            const portion = { maxBytes: chosen.maxBytes, maxCount: 1 + random.below(200) };
            const actions = hashesOf(mempool.selectActions(portion));
            expect(hashesOf(fresh.selectActions(portion))).toEqual(actions);
            selected += transactions.length + actions.length;
          }
          expect(fresh.status()).toEqual(mempool.status());
          world.commit();
        }
      }),
      { numRuns: 25 },
    );
    expect(selected).toBeGreaterThan(2000);
  });
});
