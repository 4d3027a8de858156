import { shareOf } from '../../chain/share.ts';
import type { MarginAccount } from '@prime/sdk';

/** How the equity of an account is spoken for: shares from 0 to 1 of the whole bar. */
export interface MarginBar {
  /** What its positions need to be kept. */
  readonly maintenance: number;
  /** What its positions and orders take in addition. */
  readonly initial: number;
  readonly state: 'none' | 'safe' | 'tight' | 'liquidatable';
  /** Equity that positions need to be kept, of what there is; null without equity. */
  readonly used: number | null;
}

/** From this part of the equity on it is close. */
const tightFrom = 0.75;
const scale = 1_000_000n;

const barOf = (part: bigint, whole: bigint): number => Math.min(1, Math.max(0, shareOf(part, whole, scale)));

type Figures = Pick<
  MarginAccount,
  'equity' | 'initialMargin' | 'maintenanceMargin' | 'freeCollateral' | 'liquidatable'
>;

/** Shares of equity that margin takes, 0 to 1, and in one word how near liquidation is. */
export function marginBarOf({ equity, maintenanceMargin, freeCollateral, liquidatable }: Figures): MarginBar {
  const used = equity <= 0n ? null : shareOf(maintenanceMargin, equity, scale);
  const maintenance = liquidatable ? 1 : barOf(maintenanceMargin, equity);
  // What is not free is taken by positions and by open orders.
  const taken = liquidatable ? 1 : barOf(equity - freeCollateral, equity);
  const state = liquidatable
    ? 'liquidatable'
    : taken === 0 && maintenanceMargin === 0n
      ? 'none'
      : used !== null && used >= tightFrom
        ? 'tight'
        : 'safe';
  return { maintenance, initial: Math.max(0, taken - maintenance), state, used };
}
