import { bigintAbs } from '@prime/primitives';
import { type Side } from './market.ts';

/** A fill of the account in the bot's market. */
export interface BotFill {
  readonly blockNumber: bigint;
  /** null for deleveraging, which is no trade. */
  readonly tradeId: number | null;
  readonly orderId: number | null;
  readonly side: Side;
  readonly size: bigint;
  /** What the size was bought or sold for, wei. */
  readonly value: bigint;
  /** What the account paid, wei; negative is a rebate. */
  readonly fee: bigint;
  readonly liquidity: 'maker' | 'taker' | null;
}

/** Funding of the bot's market that was settled into the collateral of the account. */
export interface BotFunding {
  readonly blockNumber: bigint;
  /** Wei; negative was paid. */
  readonly amount: bigint;
}

/** What the position is owed of funding and was not settled yet, as the chain has it after a block. */
export type UnsettledFunding = BotFunding;

/** Position and profit as fills make them, apart from what the chain says. */
export interface FillLedger {
  /** Base units; negative is short. */
  readonly position: bigint;
  readonly fills: number;
  /** Base units that were traded. */
  readonly volume: bigint;
  /** Wei that they were traded for. */
  readonly turnover: bigint;
  readonly fees: bigint;
  /** Wei that were settled; negative was paid. */
  readonly funding: bigint;
  /** Adds a fill. */
  apply(fill: BotFill): void;
  /** Adds what was settled. */
  settle(funding: BotFunding): void;
  /** Profit since the begin at a price of the position, wei, after fees and funding that was settled. */
  profit(price: bigint): bigint;
}

/**
 * @param position that the account begins with
 * @param price that this position is worth at the begin, wei for one base unit
 * @param profit that was made before, wei
 */
export function createLedger(position: bigint, price: bigint, profit = 0n): FillLedger {
  let cash = profit - position * price;
  const ledger = {
    position,
    fills: 0,
    volume: 0n,
    turnover: 0n,
    fees: 0n,
    funding: 0n,
    settle({ amount }: BotFunding): void {
      cash += amount;
      ledger.funding += amount;
    },
    apply({ side, size, value, fee }: BotFill): void {
      const sign = side === 'buy' ? 1n : -1n;
      ledger.position += sign * size;
      cash -= sign * value + fee;
      ledger.fills++;
      ledger.volume += size;
      ledger.turnover += bigintAbs(value);
      ledger.fees += fee;
    },
    profit: (at: bigint): bigint => cash + ledger.position * at,
  };
  return ledger;
}
