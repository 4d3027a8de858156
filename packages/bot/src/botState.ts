import type { ClientIds } from './execution/clientIds.ts';
import type { ExecutionSettings, PlannedItem } from './execution/planQuotes.ts';
import type { MarketRules } from './market.ts';
import type { DeadManSettings, Silence } from './risk/deadMan.ts';
import type { RiskLimits } from './risk/limits.ts';
import type { Strategy } from './strategy/strategy.ts';

/** What one bot is made of. Times are ms. */
export interface BotOptions {
  readonly market: MarketRules;
  readonly strategy: Strategy;
  readonly ids: ClientIds;
  readonly execution: ExecutionSettings;
  readonly limits: RiskLimits;
  readonly deadMan: DeadManSettings;
  /** Open orders that the account may have in all markets. */
  readonly openOrdersMax: number;
  /** Items that may be sent in a second; cancels are always sent. */
  readonly itemsPerSecond: number;
  /** Block time for which what is sent is good: how long an unknown outcome lasts at most. */
  readonly actionTtlMs: number;
}

/** Why a bot stopped for good: whoever starts it again has looked. */
export type HaltReason =
  | 'loss_limit'
  /** Nobody can tell all fills since the loss was kept. */
  | 'loss_unknown'
  /** The file of the loss was reset while the bot ran, or another process keeps its own there. */
  | 'state_changed'
  | 'state_unwritable'
  | 'positions_disagree'
  | 'refused_for_good'
  | 'stopped';
/** Why it has no quotes now. */
export type PullReason = Silence | HaltReason;
/** Why it does nothing now. */
export type WaitReason = 'starting' | 'in_flight' | 'block' | 'backoff' | 'rate' | 'nothing_to_do' | 'pulled';

/** What a bot does next. `cut` says which limits made a batch smaller; `kept` counts orders that stay. */
export type Decision =
  | { readonly kind: 'wait'; readonly why: WaitReason }
  | {
      readonly kind: 'send';
      readonly items: readonly PlannedItem[];
      /** Block time, ms. */
      readonly expiresAtMs: number;
      readonly kept: number;
      readonly cut: readonly ('position' | 'notional' | 'rate' | 'batch')[];
    }
  | { readonly kind: 'cancelAll'; readonly why: PullReason; readonly expiresAtMs: number };
