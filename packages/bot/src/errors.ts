import { PrimeError } from '@prime/primitives';

/** Codes of {@link BotError}, each with what explains it. */
export type BotErrorDetail =
  /** A strategy file is neither TOML nor JSON. */
  | { readonly code: 'BOT_STRATEGY_MALFORMED'; readonly file: string; readonly reason: string }
  /** A strategy file has a key that there is not, lacks one, or a value that is not allowed. */
  | {
      readonly code: 'BOT_STRATEGY_INVALID';
      readonly file: string;
      readonly path: string;
      readonly problem: string;
      readonly allowed: string;
    }
  /** The network has no such market. */
  | { readonly code: 'BOT_MARKET_UNKNOWN'; readonly market: string; readonly markets: readonly string[] }
  /** Nobody pays for the collateral of the bot. */
  | { readonly code: 'BOT_FUNDS_MISSING'; readonly wei: bigint; readonly reason: string }
  /** A strategy has a loss limit, and nobody said in which file the loss is kept. */
  | { readonly code: 'BOT_STATE_MISSING' }
  /** The file of a bot's loss is not what a bot wrote. It is never begun anew by itself. */
  | { readonly code: 'BOT_STATE_DAMAGED'; readonly path: string }
  /** The file of a bot's loss is of another network, account or market. */
  | {
      readonly code: 'BOT_STATE_FOREIGN';
      readonly path: string;
      readonly what: string;
      readonly found: string;
      readonly expected: string;
    }
  /** A recorded flow does not hold what a backtest needs. */
  | { readonly code: 'BOT_FLOW_UNFIT'; readonly reason: string };

/** What a bot can not do. */
export class BotError extends PrimeError<BotErrorDetail> {}
