import { accountMargin } from '@prime/clob';
import { type Address, bigintAbs, bigintMax } from '@prime/primitives';
import { addressOf, Arena, type BlockSeen, type Move, type Stage } from './arena.ts';
import { type Attack, type AttackStep, marketsOfAttack } from './attack.ts';
import { type Crowd, holders, honest, refreshBlocks } from './crowd.ts';

/** One attack from its first block until its adversary is out again, and what it came to. */

/** The liquidation of somebody who would have been safe at the price outside. Amounts are in wei. */
interface ForcedLiquidation {
  readonly victim: string;
  /** What the adversary is poorer by in the end, at the prices outside; negative when it paid. */
  readonly cost: bigint;
  /** What the victim is poorer by in the end. */
  readonly loss: bigint;
  /** From the first block of the attack. */
  readonly blocks: number;
}

/** What an attack came to. Amounts are in wei. */
export interface AttackOutcome {
  readonly forced: ForcedLiquidation | null;
  /** Least equity of a holder by its maintenance margin, at the marks: below 1 it is liquidated. */
  readonly closest: number;
  /** By how much the insurance fund was below what it had at first, at most. */
  readonly insuranceLoss: bigint;
  /** Wei that left the order book in the end, beside those that never went in, less the capital. */
  readonly profit: bigint;
  /** Most blocks in a row in which who has no position could not withdraw. */
  readonly blocked: number;
  /** Whether it was so in the last block, too: then it may be for ever. */
  readonly isBlockedAtEnd: boolean;
  /** What all honest accounts together are poorer by, at the prices outside. */
  readonly honestLoss: bigint;
  /** Most that all own accounts together owed beyond what they had, at the marks. */
  readonly shortfall: bigint;
  /** Debt that nobody has paid in the end. */
  readonly debt: bigint;
  readonly blocks: number;
  /** What happened in each block, for people; empty unless it is asked for. */
  readonly trace: readonly string[];
}

/** Own accounts of the adversary. */
const ownAddress = (index: number): Address => addressOf(0x1000 + index);

const blocksMost = 400;
/** Turns of makers in which the adversary gets out of its positions. */
const closingTurns = 8;
const closingBps = 1_000;
const marketPlaces = Array.from({ length: marketsOfAttack }, (_, which) => which);

/** An adversary in the middle of its attack. */
class Adversary {
  /** Wei that are not in the order book. */
  wallet: bigint;
  readonly #crowd: Crowd;
  readonly #accounts: readonly Address[];

  constructor(crowd: Crowd, accounts: number) {
    this.#crowd = crowd;
    this.wallet = crowd.options.capital;
    this.#accounts = Array.from({ length: accounts }, (_, index) => ownAddress(index));
  }

  deposits({ split }: Attack): Move[] {
    const { capital } = this.#crowd.options;
    return this.#accounts.flatMap((account, index): Move[] => {
      const amount = (capital * BigInt(split[index] ?? 0)) / 10_000n;
      if (amount === 0n) return [];
      this.wallet -= amount;
      return [{ account, payload: { type: 'deposit', amount } }];
    });
  }

  /** @returns null when there is nothing to do in this state */
  move(arena: Arena, { by, kind, market, side, bps, share, to }: AttackStep): Move | null {
    const crowd = this.#crowd;
    const account = this.#accounts[by % this.#accounts.length]!;
    const wei = (crowd.options.capital * BigInt(share)) / 10_000n;
    switch (kind) {
      case 'rest':
      case 'take':
        return { account, payload: crowd.order(market, side, bps, wei, { tif: kind === 'rest' ? 'gtc' : 'ioc' }) };
      case 'close':
        return this.#close(arena, account, crowd.marketId(market));
      case 'cancel':
        return { account, payload: { type: 'cancelAll', marketId: null } };
      case 'withdraw':
        return this.#withdraw(arena, account, 1n);
      case 'transfer': {
        const amount = (this.#withdrawable(arena, account) * BigInt(Math.min(share, 10_000))) / 10_000n;
        const other = this.#accounts[to % this.#accounts.length]!;
        return amount === 0n ? null : { account, payload: { type: 'transfer', to: other, amount } };
      }
      case 'liquidate': {
        const all = [...this.#accounts, ...honest];
        return { account, payload: { type: 'liquidate', address: all[to % all.length]! } };
      }
    }
  }

  /** Cancels, closes and withdraws, as far as it goes. @param part of what may be withdrawn that is asked for: 1 of so many */
  getOut(arena: Arena, part: bigint): Move[] {
    return this.#accounts.flatMap((account): Move[] => {
      const markets = [...new Set(marketPlaces.map((which) => this.#crowd.marketId(which)))];
      const moves = markets.map((marketId) => this.#close(arena, account, marketId));
      const hasOrders = (arena.state.accountOf.get(account)?.openOrders ?? 0) > 0;
      const cancel: Move[] = hasOrders ? [{ account, payload: { type: 'cancelAll', marketId: null } }] : [];
      const all = [...cancel, ...moves, this.#withdraw(arena, account, part)];
      return all.filter((move) => move !== null);
    });
  }

  /** What left the order book. */
  note(moves: readonly Move[], { results }: BlockSeen): void {
    for (const [index, { account, payload }] of moves.entries())
      if (payload.type === 'withdraw' && results[index]!.ok && this.#accounts.includes(account))
        this.wallet += payload.amount;
  }

  /** What accounts owe beyond what they have, at the marks. */
  shortfall({ state }: Arena): bigint {
    return this.#accounts.reduce((sum, address) => {
      const account = state.accountOf.get(address);
      const equity = account === undefined ? 0n : accountMargin(account, state.marginMarket).equity;
      return equity < 0n ? sum - equity : sum;
    }, 0n);
  }

  /** At the prices outside; an account that owes more than it has is left behind. */
  worth(arena: Arena): bigint {
    return this.#accounts.reduce((sum, account) => sum + bigintMax(0n, this.#crowd.worth(arena, account)), this.wallet);
  }

  #close(arena: Arena, account: Address, marketId: number): Move | null {
    const { size = 0n } = arena.state.accountOf.get(account)?.exposures.find((one) => one.marketId === marketId) ?? {};
    if (size === 0n) return null;
    const side = size > 0n ? 'sell' : 'buy';
    const bps = side === 'sell' ? -closingBps : closingBps;
    const fields = { tif: 'ioc', reduceOnly: true, size: bigintAbs(size) } as const;
    const which = marketPlaces.find((place) => this.#crowd.marketId(place) === marketId)!;
    return { account, payload: this.#crowd.order(which, side, bps, 0n, fields) };
  }

  #withdrawable({ state }: Arena, address: Address): bigint {
    const account = state.accountOf.get(address);
    return account === undefined ? 0n : accountMargin(account, state.marginMarket).withdrawable;
  }

  #withdraw(arena: Arena, account: Address, part: bigint): Move | null {
    const amount = this.#withdrawable(arena, account) / part;
    return amount === 0n ? null : { account, payload: { type: 'withdraw', amount, to: account } };
  }
}

/** What is counted while an attack runs. */
class Watch {
  closest = Number.POSITIVE_INFINITY;
  least: bigint;
  blocked = 0;
  run = 0;
  forced: { readonly victim: string; readonly address: Address; readonly blocks: number } | null = null;
  readonly #crowd: Crowd;
  #solvent = new Set<Address>();

  constructor(crowd: Crowd, insurance: bigint) {
    this.#crowd = crowd;
    this.least = insurance;
  }

  /** Before a block: who is safe at the prices outside, and how safe at the marks. */
  before(arena: Arena): void {
    this.#solvent = new Set();
    for (const [, address] of holders) {
      const account = arena.state.accountOf.get(address);
      if (account === undefined) continue;
      if (this.#crowd.isSolvent(arena, account)) this.#solvent.add(address);
      const { equity, maintenance } = accountMargin(account, arena.state.marginMarket);
      if (maintenance > 0n) this.closest = Math.min(this.closest, Number((equity * 1000n) / maintenance) / 1000);
    }
  }

  after(arena: Arena, { results, events }: BlockSeen, block: number): void {
    const { insurance } = arena.state.globals;
    if (insurance < this.least) this.least = insurance;
    this.run = results.at(-1)!.ok ? 0 : this.run + 1;
    this.blocked = Math.max(this.blocked, this.run);
    if (this.forced !== null) return;
    for (const { kind, data } of events) {
      if (kind !== 'liquidation') continue;
      const [victim, address] = holders.find(([, holder]) => holder === data['address']) ?? [];
      if (victim !== undefined && this.#solvent.has(address!))
        this.forced = { victim, address: address!, blocks: block };
    }
  }
}

/** @param block of the attack, from 1 */
function traceOf(
  { events, results }: BlockSeen,
  moves: readonly Move[],
  block: number,
  arena: Arena,
  crowd: Crowd,
): string {
  const shown = new Set(['liquidation', 'deleveraged', 'bad_debt', 'debt_covered', 'insurance_changed', 'trade']);
  const told = events
    .filter(({ kind }) => shown.has(kind))
    .map(({ kind, data }) =>
      JSON.stringify({ kind, ...data }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
  const { markPrice } = arena.state.markets[crowd.marketId(0) - 1]!;
  const refused = results.flatMap((result, index) =>
    result.ok ? [] : [`${moves[index]!.account} ${moves[index]!.payload.type}: ${result.error.message}`],
  );
  return [`block ${block}, mark ${markPrice ?? 'none'}`, ...refused.map((text) => `refused ${text}`), ...told].join(
    '\n  ',
  );
}

/**
 * Runs an attack.
 *
 * @param accounts of the adversary @param traces whether to tell what happens in each block
 */
export function runAttack(
  crowd: Crowd,
  stage: Stage,
  attack: Attack,
  { accounts, traces = false }: { readonly accounts: number; readonly traces?: boolean },
): AttackOutcome {
  const arena = new Arena(crowd.options.genesis, crowd.oracle, stage);
  const adversary = new Adversary(crowd, accounts);
  const before = new Map(honest.map((address) => [address, crowd.worth(arena, address)]));
  const insurance = arena.state.globals.insurance;
  const watch = new Watch(crowd, insurance);
  const trace: string[] = [];
  let shortfall = 0n;
  let block = 0;
  const run = (own: readonly Move[]): void => {
    watch.before(arena);
    const moves = [...own, ...crowd.moves(arena, block)];
    const seen = arena.block(moves);
    block++;
    adversary.note(moves, seen);
    watch.after(arena, seen, block);
    shortfall = bigintMax(shortfall, adversary.shortfall(arena));
    if (traces) trace.push(traceOf(seen, moves, block, arena, crowd));
  };
  let waiting: Move[] = adversary.deposits(attack);
  for (const step of attack.steps) {
    for (let wait = step.wait; wait > 0 && block < blocksMost; wait--) {
      run(waiting);
      waiting = [];
    }
    const move = adversary.move(arena, step);
    if (move !== null) waiting.push(move);
  }
  run(waiting);
  const every = refreshBlocks(crowd.options.genesis);
  // In the end it asks for less and less, where all is too much.
  for (let turn = 0; turn < closingTurns * every; turn++)
    run(turn % every === 1 % every ? adversary.getOut(arena, 1n << BigInt(Math.floor(turn / every / 4))) : []);
  const lossOf = (address: Address): bigint => before.get(address)! - crowd.worth(arena, address);
  const { forced } = watch;
  return {
    forced:
      forced === null
        ? null
        : {
            victim: forced.victim,
            cost: crowd.options.capital - adversary.worth(arena),
            loss: lossOf(forced.address),
            blocks: forced.blocks,
          },
    closest: watch.closest,
    insuranceLoss: insurance - watch.least,
    profit: adversary.wallet - crowd.options.capital,
    blocked: watch.blocked,
    isBlockedAtEnd: watch.run > 0,
    honestLoss: honest.reduce((sum, address) => sum + lossOf(address), 0n),
    shortfall,
    debt: arena.state.accounts.reduce((sum, { collateral, exposures }) => {
      const isLeft = collateral < 0n && exposures.every(({ size }) => size === 0n);
      return isLeft ? sum - collateral : sum;
    }, 0n),
    blocks: block,
    trace,
  };
}
