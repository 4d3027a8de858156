import { type Account, noteChanged } from './accounts.ts';
import type { Exposure } from '../book/exposure.ts';

/** An exposure's values before it changed. */
interface SavedExposure {
  account: Account | null;
  exposure: Exposure | null;
  lots: number;
  buyLots: number;
  buyUnits: number;
  sellLots: number;
  sellUnits: number;
  exactEntry: number;
  bigEntry: Exposure['bigEntry'];
  fundingIndex: bigint;
  exactClaim: number;
  bigClaim: bigint | null;
  big: Exposure['big'];
}

/** An account's own values before it changed. */
interface SavedAccount {
  account: Account | null;
  locked: boolean;
  openOrders: number;
  firstOrder: number;
  lastOrder: number;
  base: bigint;
  gain: number;
}

/** Stack whose entries are used again. */
class Saves<T> {
  readonly #entries: T[] = [];
  readonly #make: () => T;
  #count = 0;

  constructor(make: () => T) {
    this.#make = make;
  }

  /** The next entry, to be filled in. */
  push(): T {
    if (this.#count === this.#entries.length) this.#entries.push(this.#make());
    return this.#entries[this.#count++]!;
  }

  pop(): T {
    return this.#entries[--this.#count]!;
  }

  clear(): void {
    this.#count = 0;
  }
}

/**
 * Values that an undo puts back. Entries are used again: every fill of a block saves two accounts and two positions, and what is made for that
 * and thrown away with the block is what the collector would have most of its work with.
 */
export class SavedValues {
  readonly #exposures = new Saves<SavedExposure>(() => ({
    account: null,
    exposure: null,
    lots: 0,
    buyLots: 0,
    buyUnits: 0,
    sellLots: 0,
    sellUnits: 0,
    exactEntry: 0,
    bigEntry: null,
    fundingIndex: 0n,
    exactClaim: 0,
    bigClaim: null,
    big: null,
  }));
  readonly #accounts = new Saves<SavedAccount>(() => ({
    account: null,
    locked: false,
    openOrders: 0,
    firstOrder: 0,
    lastOrder: 0,
    base: 0n,
    gain: 0,
  }));

  saveExposure(account: Account, exposure: Exposure): void {
    const saved = this.#exposures.push();
    saved.account = account;
    saved.exposure = exposure;
    saved.lots = exposure.lots;
    saved.buyLots = exposure.buyLots;
    saved.buyUnits = exposure.buyUnits;
    saved.sellLots = exposure.sellLots;
    saved.sellUnits = exposure.sellUnits;
    saved.exactEntry = exposure.exactEntry;
    saved.bigEntry = exposure.bigEntry;
    saved.fundingIndex = exposure.fundingIndex;
    saved.exactClaim = exposure.exactClaim;
    saved.bigClaim = exposure.bigClaim;
    saved.big = exposure.big;
  }

  /** Puts the exposure that was saved last back as it was, to be looked at anew for its account's margin. */
  restoreExposure(): void {
    const saved = this.#exposures.pop();
    const exposure = saved.exposure!;
    const { position: before, countedClaim: claimBefore } = exposure;
    exposure.lots = saved.lots;
    exposure.buyLots = saved.buyLots;
    exposure.buyUnits = saved.buyUnits;
    exposure.sellLots = saved.sellLots;
    exposure.sellUnits = saved.sellUnits;
    exposure.exactEntry = saved.exactEntry;
    exposure.bigEntry = saved.bigEntry;
    exposure.fundingIndex = saved.fundingIndex;
    exposure.exactClaim = saved.exactClaim;
    exposure.bigClaim = saved.bigClaim;
    exposure.big = saved.big;
    exposure.noteMoved(before);
    exposure.noteClaim(claimBefore);
    exposure.savedIn = 0;
    noteChanged(saved.account!, exposure);
  }

  saveAccount(account: Account): void {
    const saved = this.#accounts.push();
    saved.account = account;
    saved.locked = account.locked;
    saved.openOrders = account.openOrders;
    saved.firstOrder = account.firstOrder;
    saved.lastOrder = account.lastOrder;
    saved.base = account.base;
    saved.gain = account.gain;
  }

  /** Puts the account that was saved last back as it was. */
  restoreAccount(): void {
    const saved = this.#accounts.pop();
    const account = saved.account!;
    account.locked = saved.locked;
    account.openOrders = saved.openOrders;
    account.firstOrder = saved.firstOrder;
    account.lastOrder = saved.lastOrder;
    account.base = saved.base;
    account.gain = saved.gain;
    account.savedIn = 0;
  }

  clear(): void {
    this.#exposures.clear();
    this.#accounts.clear();
  }
}
