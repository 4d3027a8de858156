import { describe, expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import { type Address, createPrng, type Hash, isPrimeError, type Prng } from '@prime/primitives';
import { createMempool, type Mempool } from './mempool.ts';
import { effectiveTip } from './effectiveTip.ts';

/**
 * Random commands against a mempool that keeps one flat list and computes everything anew. Prices and balances are drawn from
 * few values, so that ties, replacements, evictions and lacking funds all happen.
 */
type Account = { nonce: number; balance: bigint; delegated: boolean };
type Waiting = { readonly transaction: VerifiedTransaction; readonly arrival: number; readonly local: boolean };

const limits = {
  transactionCountMax: 12,
  transactionBytesMax: 900,
  senderTransactionsMax: 4,
  queuedCountMax: 4,
  transactionSizeMax: 200,
  senderGuaranteed: 2,
  senderQueuedMax: 2,
  localCountMax: 3,
  queuedLifetimeMs: 100_000,
  tipMin: 1n,
};
const blockGasLimit = 100n;
const costOf = ({ gasLimit, maxFeePerGas, value }: VerifiedTransaction): bigint => gasLimit * maxFeePerGas + value;

class Model {
  waiting: Waiting[] = [];
  arrivals = 0;
  timeMs = 0;
  sweptAtMs = 0;
  readonly activeAt = new Map<Address, number>();

  ofSender(sender: Address): Waiting[] {
    return this.waiting
      .filter(({ transaction }) => transaction.sender === sender)
      .sort((a, b) => a.transaction.nonce - b.transaction.nonce);
  }

  pending(sender: Address, { nonce }: Account): Waiting[] {
    return this.ofSender(sender).filter(({ transaction }, index) => transaction.nonce === nonce + index);
  }

  queuedTotal(accounts: ReadonlyMap<Address, Account>): number {
    let pending = 0;
    for (const [sender, account] of accounts) pending += this.pending(sender, account).length;
    return this.waiting.length - pending;
  }

  /** What goes first: see evictionPlan.ts. */
  rank(entry: Waiting, accounts: ReadonlyMap<Address, Account>): number {
    const { sender } = entry.transaction;
    const place = this.pending(sender, accounts.get(sender)!).indexOf(entry);
    return (place >= 0 && place < limits.senderGuaranteed ? 2 : 0) + (entry.local ? 1 : 0);
  }

  compare(a: Waiting, b: Waiting, accounts: ReadonlyMap<Address, Account>): number {
    return this.rank(a, accounts) - this.rank(b, accounts) || worth(a, b);
  }

  #worst(accounts: ReadonlyMap<Address, Account>): Waiting | undefined {
    const tails = this.waiting.filter(
      ({ transaction }) => this.ofSender(transaction.sender).at(-1)!.transaction === transaction,
    );
    return tails.sort((a, b) => this.compare(a, b, accounts))[0];
  }

  #delegationRefusal(transaction: VerifiedTransaction, account: Account, replaced: Waiting | undefined): string | null {
    const { sender, nonce } = transaction;
    const pending = this.pending(sender, account);
    const isAuthority = this.waiting.some((other) => other.transaction.authorities?.includes(sender));
    if (account.delegated || isAuthority) {
      if (pending.length === 0 && nonce !== account.nonce) return 'MEMPOOL_DELEGATED_GAP';
      if (pending.length > 0 && !(replaced !== undefined && pending.includes(replaced)))
        return 'MEMPOOL_INFLIGHT_LIMIT';
    }
    const busy = transaction.authorities?.some((authority) => this.ofSender(authority).length > 1);
    return busy === true ? 'MEMPOOL_AUTHORITY_RESERVED' : null;
  }

  #bytes(): number {
    return this.waiting.reduce((sum, { transaction }) => sum + transaction.raw.length, 0);
  }

  /** @returns null when admitted, else the error's code */
  add(transaction: VerifiedTransaction, accounts: ReadonlyMap<Address, Account>, isLocal: boolean): string | null {
    const account = accounts.get(transaction.sender)!;
    if (this.waiting.some((other) => other.transaction.hash === transaction.hash)) return 'MEMPOOL_ALREADY_KNOWN';
    if (transaction.raw.length > limits.transactionSizeMax) return 'MEMPOOL_OVERSIZED';
    if (transaction.gasLimit > blockGasLimit) return 'MEMPOOL_GAS_LIMIT';
    if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas) return 'MEMPOOL_TIP_ABOVE_FEE_CAP';
    if (transaction.maxPriorityFeePerGas < limits.tipMin) return 'MEMPOOL_TIP_TOO_LOW';
    if (transaction.nonce < account.nonce) return 'MEMPOOL_NONCE_TOO_LOW';
    const own = this.ofSender(transaction.sender);
    const replaced = own.find((other) => other.transaction.nonce === transaction.nonce);
    const others = own.filter((other) => other !== replaced);
    const total = others.reduce((sum, other) => sum + costOf(other.transaction), costOf(transaction));
    if (total > account.balance) return 'MEMPOOL_INSUFFICIENT_FUNDS';
    const delegation = this.#delegationRefusal(transaction, account, replaced);
    if (delegation !== null) return delegation;
    if (replaced !== undefined) {
      const bumped = (fee: bigint, old: bigint): boolean => fee > old && fee >= (old * 110n) / 100n;
      const old = replaced.transaction;
      if (
        !bumped(transaction.maxFeePerGas, old.maxFeePerGas) ||
        !bumped(transaction.maxPriorityFeePerGas, old.maxPriorityFeePerGas)
      )
        return 'MEMPOOL_REPLACEMENT_UNDERPRICED';
    }
    if (replaced === undefined) {
      if (own.length >= limits.senderTransactionsMax) return 'MEMPOOL_ACCOUNT_LIMIT';
      const pending = this.pending(transaction.sender, account).length;
      const gap = transaction.nonce > account.nonce + pending;
      if (gap && own.length - pending >= limits.senderQueuedMax) return 'MEMPOOL_ACCOUNT_LIMIT';
      if (gap && this.queuedTotal(accounts) >= limits.queuedCountMax) return 'MEMPOOL_FULL';
    }
    return this.#insert(transaction, replaced, accounts, isLocal);
  }

  #insert(
    transaction: VerifiedTransaction,
    replaced: Waiting | undefined,
    accounts: ReadonlyMap<Address, Account>,
    isLocal: boolean,
  ): string | null {
    const before = this.waiting;
    const locals = before.filter(({ local }) => local).length;
    const local = isLocal && (replaced?.local === true || locals < limits.localCountMax);
    const entry = { transaction, arrival: this.arrivals++, local };
    const full = (): boolean =>
      this.waiting.length + (replaced === undefined ? 1 : 0) > limits.transactionCountMax ||
      this.#bytes() + transaction.raw.length - (replaced?.transaction.raw.length ?? 0) > limits.transactionBytesMax;
    // The class that it will have, which depends on what waits before it.
    this.waiting = [...before.filter((other) => other !== replaced), entry];
    const rank = this.rank(entry, accounts);
    this.waiting = before;
    while (full()) {
      const victim = this.#worst(accounts);
      let refusal: string | null = null;
      if (victim === undefined || victim === replaced) refusal = 'MEMPOOL_FULL';
      else if (victim.transaction.sender === transaction.sender && victim.transaction.nonce < transaction.nonce)
        refusal = 'MEMPOOL_FULL';
      else if ((this.rank(victim, accounts) - rank || worth(victim, entry)) >= 0) refusal = 'MEMPOOL_UNDERPRICED';
      if (refusal !== null) {
        this.waiting = before;
        return refusal;
      }
      this.waiting = this.waiting.filter((other) => other !== victim);
    }
    this.waiting = [...this.waiting.filter((other) => other !== replaced), entry];
    this.activeAt.set(transaction.sender, this.timeMs);
    return null;
  }

  commit(included: ReadonlySet<Hash>, accounts: ReadonlyMap<Address, Account>, timeMs: number): void {
    this.waiting = this.waiting.filter(({ transaction }) => {
      const account = accounts.get(transaction.sender)!;
      return (
        !included.has(transaction.hash) && transaction.nonce >= account.nonce && costOf(transaction) <= account.balance
      );
    });
    this.timeMs = timeMs;
    if (timeMs - this.sweptAtMs < 60_000) return;
    this.sweptAtMs = timeMs;
    const executable = [...accounts].flatMap(([sender, account]) => this.pending(sender, account));
    this.waiting = this.waiting.filter(
      (entry) =>
        executable.includes(entry) || timeMs - this.activeAt.get(entry.transaction.sender)! <= limits.queuedLifetimeMs,
    );
  }

  select(accounts: ReadonlyMap<Address, Account>, selection: Parameters<Mempool['selectTransactions']>[0]): Hash[] {
    const done = new Set<Waiting>();
    const closed = new Set<Address>();
    const state = new Map<Address, Account>();
    for (const [sender, { nonce, balance, delegated }] of accounts) {
      const deposited = selection.deposits?.get(sender) ?? 0n;
      state.set(sender, { nonce, delegated, balance: balance > deposited ? balance - deposited : 0n });
    }
    const result: Hash[] = [];
    let { gasLimit: gas, maxBytes: bytes } = selection;
    const next = (): Waiting | undefined =>
      this.waiting
        .filter((entry) => {
          const { transaction } = entry;
          const account = state.get(transaction.sender)!;
          return (
            !done.has(entry) &&
            !closed.has(transaction.sender) &&
            transaction.nonce === account.nonce &&
            costOf(transaction) <= account.balance &&
            transaction.maxFeePerGas >= selection.baseFee
          );
        })
        .sort((a, b) => {
          const [left, right] = [a, b].map((entry) => effectiveTip(entry.transaction, selection.baseFee)) as [
            bigint,
            bigint,
          ];
          return left === right ? a.arrival - b.arrival : left > right ? -1 : 1;
        })[0];
    for (let entry = next(); entry !== undefined; entry = next()) {
      const { transaction } = entry;
      if (transaction.gasLimit > gas || transaction.raw.length > bytes) {
        closed.add(transaction.sender);
        continue;
      }
      done.add(entry);
      gas -= transaction.gasLimit;
      bytes -= transaction.raw.length;
      const account = state.get(transaction.sender)!;
      state.set(transaction.sender, {
        ...account,
        nonce: account.nonce + 1,
        balance: account.balance - costOf(transaction),
      });
      result.push(transaction.hash);
    }
    return result;
  }
}

function worth(a: Waiting, b: Waiting): number {
  const by = (x: bigint, y: bigint): number => (x === y ? 0 : x < y ? -1 : 1);
  return (
    by(a.transaction.maxFeePerGas, b.transaction.maxFeePerGas) ||
    by(a.transaction.maxPriorityFeePerGas, b.transaction.maxPriorityFeePerGas) ||
    b.arrival - a.arrival
  );
}

let hashes = 0;
function randomTransaction(prng: Prng, sender: Address, account: Account): VerifiedTransaction {
  const maxFeePerGas = BigInt(10 + prng.below(30));
  return {
    raw: new Uint8Array(prng.chance(1, 20) ? 201 : 40 + prng.below(100)),
    hash: `0x${(++hashes).toString(16).padStart(64, '0')}` as Hash,
    type: 2,
    sender,
    nonce: Math.max(0, account.nonce - 1 + prng.below(6)),
    gasLimit: BigInt(prng.chance(1, 30) ? 101 : 10 + prng.below(30)),
    maxFeePerGas,
    maxPriorityFeePerGas: BigInt(prng.below(Number(maxFeePerGas) + 1)) + (prng.chance(1, 30) ? 100n : 0n),
    ...(prng.chance(1, 12) && { type: 4, authorities: [senders[prng.below(senders.length)]!] }),
    value: BigInt(prng.below(500)),
    to: null,
  };
}

const senders = ['a1', 'b2', 'c3', 'd4', 'e5'].map((byte) => `0x${byte.repeat(20)}` as Address);

interface World {
  readonly prng: Prng;
  readonly mempool: Mempool;
  readonly model: Model;
  readonly accounts: Map<Address, Account>;
  readonly outcomes: Map<string, number>;
  /** Hashes that became executable, each as often as it was told. */
  readonly told: Hash[];
}

function addOne({ prng, mempool, model, accounts, outcomes }: World): void {
  const sender = senders[prng.below(senders.length)]!;
  const account = accounts.get(sender)!;
  const waiting = model.waiting[prng.below(8)]?.transaction;
  const transaction = waiting !== undefined && prng.chance(1, 10) ? waiting : randomTransaction(prng, sender, account);
  const isLocal = prng.chance(1, 3);
  const expected = model.add(transaction, accounts, isLocal);
  let outcome: string | null = null;
  try {
    mempool.addTransaction(transaction, accounts.get(transaction.sender)!, isLocal ? 'local' : 'peer');
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    outcome = error.code;
  }
  expect(outcome).toBe(expected);
  outcomes.set(outcome ?? 'admitted', (outcomes.get(outcome ?? 'admitted') ?? 0) + 1);
}

function selection(prng: Prng): Parameters<Mempool['selectTransactions']>[0] {
  return {
    baseFee: BigInt(prng.below(30)),
    gasLimit: BigInt(20 + prng.below(100)),
    maxBytes: 100 + prng.below(900),
    deposits: new Map([[senders[prng.below(senders.length)]!, BigInt(prng.below(4000))]]),
  };
}

function commitOne({ prng, mempool, model, accounts }: World): void {
  const selected = mempool.selectTransactions(selection(prng));
  const included = new Set<Hash>();
  const changed = new Set<Address>();
  for (const transaction of selected) {
    included.add(transaction.hash);
    // Now and then one is in a block and does not run: the nonce stays, what follows it is behind a gap.
    if (prng.chance(1, 8)) break;
    const account = accounts.get(transaction.sender)!;
    accounts.set(transaction.sender, {
      ...account,
      nonce: account.nonce + 1,
      balance: account.balance - costOf(transaction),
    });
    changed.add(transaction.sender);
  }
  const moved = senders[prng.below(senders.length)]!;
  accounts.set(moved, {
    nonce: accounts.get(moved)!.nonce + prng.below(2),
    balance: BigInt(prng.below(8000)),
    delegated: prng.chance(1, 8),
  });
  changed.add(moved);
  const timeMs = model.timeMs + prng.below(60_000);
  model.commit(included, accounts, timeMs);
  mempool.onCommit({
    transactions: [...included],
    gasUsed: [...included].map(() => 1),
    actions: [],
    accounts: [...changed].map((address) => ({ address, ...accounts.get(address)! })),
    nextBaseFee: 5n,
    timestampMs: timeMs,
  });
}

function compareAll({ prng, mempool, model, accounts, told }: World): void {
  const chosen = selection(prng);
  expect(mempool.selectTransactions(chosen).map(({ hash }) => hash)).toEqual(model.select(accounts, chosen));
  expect(new Set([...mempool.content()].map(({ hash }) => hash))).toEqual(
    new Set(model.waiting.map(({ transaction }) => transaction.hash)),
  );
  const queued = model.queuedTotal(accounts);
  const bytes = model.waiting.reduce((sum, { transaction }) => sum + transaction.raw.length, 0);
  expect(mempool.status()).toMatchObject({ pending: model.waiting.length - queued, queued, transactionBytes: bytes });
  for (const [sender, account] of accounts) {
    const own = model.ofSender(sender);
    const expected = own.length === 0 ? null : account.nonce + model.pending(sender, account).length;
    expect(mempool.pendingNonce(sender)).toBe(expected);
    for (const { transaction } of model.pending(sender, account)) expect(told).toContain(transaction.hash);
  }
  for (const { transaction } of model.waiting) expect(mempool.transaction(transaction.hash)).toBe(transaction);
}

describe('transaction pool against a naive model', () => {
  it('gives the same answers to random commands', () => {
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= 30; seed++) {
      const accounts = new Map<Address, Account>(
        senders.map((sender) => [sender, { nonce: 0, balance: 5000n, delegated: false }]),
      );
      const told: Hash[] = [];
      const world: World = {
        prng: createPrng(seed),
        mempool: createMempool({ blockGasLimit, baseFee: 5n, limits, onPending: ({ hash }) => told.push(hash) }),
        model: new Model(),
        accounts,
        outcomes,
        told,
      };
      try {
        for (let round = 0; round < 150; round++) {
          if (world.prng.chance(1, 12)) commitOne(world);
          else addOne(world);
          compareAll(world);
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    // The commands reached every answer that there is.
    expect([...outcomes.keys()].sort()).toEqual([
      'MEMPOOL_ACCOUNT_LIMIT',
      'MEMPOOL_ALREADY_KNOWN',
      'MEMPOOL_AUTHORITY_RESERVED',
      'MEMPOOL_DELEGATED_GAP',
      'MEMPOOL_FULL',
      'MEMPOOL_GAS_LIMIT',
      'MEMPOOL_INFLIGHT_LIMIT',
      'MEMPOOL_INSUFFICIENT_FUNDS',
      'MEMPOOL_NONCE_TOO_LOW',
      'MEMPOOL_OVERSIZED',
      'MEMPOOL_REPLACEMENT_UNDERPRICED',
      'MEMPOOL_TIP_ABOVE_FEE_CAP',
      'MEMPOOL_TIP_TOO_LOW',
      'MEMPOOL_UNDERPRICED',
      'admitted',
    ]);
  });
});
