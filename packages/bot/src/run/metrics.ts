import { sides as orderSides } from '@prime/codec';
import { type LabelledMetric, type MetricReading, renderMetrics } from '@prime/telemetry';
import type { Bot } from '../bot.ts';
import type { Decision } from '../botState.ts';
import type { Outcome } from '../ports.ts';
import { Counts, Tally } from '../tally.ts';

/** What a bot counts. */
export interface BotMetrics {
  decided(decision: Decision): void;
  finished(outcome: Outcome, tookMs: number): void;
  fills(count: number): void;
  /** What a venue told by its code, such as a connection that ended. */
  trouble(code: string): void;
  /** Prometheus text. */
  render(bot: Bot, price: bigint | null): Promise<string>;
}

/** Of times to an outcome, s; a count is of those at or below. */
const tookBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Number.POSITIVE_INFINITY];

/** Values of the chain are larger than what a double holds exactly; a gauge need not be exact. */
const gauge = (name: string, help: string, value: number): MetricReading => ({ name, help, type: 'gauge', value });
const counter = (name: string, help: string, value: number): MetricReading => ({ name, help, type: 'counter', value });
/** A counter for each word that a label has had. */
const counters = (name: string, help: string, label: string, counts: Counts): MetricReading => ({
  name,
  help,
  type: 'counters',
  label,
  counts: [...counts],
});

const gaugesOf = (bot: Bot, labels: Readonly<Record<'bot' | 'market', string>>): LabelledMetric[] => [
  {
    name: 'bot_info',
    type: 'gauge',
    help: 'Always 1; says whose metrics these are.',
    labelNames: ['bot', 'market'],
    read: () => [{ labels, value: 1 }],
  },
  {
    name: 'bot_open_orders',
    type: 'gauge',
    help: 'Orders of the bot that rest.',
    labelNames: ['side'],
    read: () =>
      orderSides.map((side) => ({
        labels: { side },
        value: bot.ownOrders.filter((order) => order.side === side).length,
      })),
  },
];

/** @param labels in every metric: bot and market */
export function createBotMetrics(labels: Readonly<Record<'bot' | 'market', string>>): BotMetrics {
  const tally = new Tally();
  const troubles = new Counts();
  const took = { seconds: 0, counts: Array.from({ length: tookBounds.length }, () => 0) };
  let fills = 0;
  return {
    decided: (decision) => tally.decided(decision),
    finished(outcome, tookMs) {
      tally.finished(outcome);
      took.seconds += tookMs / 1_000;
      for (const [index, bound] of tookBounds.entries()) if (tookMs / 1_000 <= bound) took.counts[index]! += 1;
    },
    fills(count) {
      fills += count;
    },
    trouble: (code) => troubles.add(code),
    render(bot, price) {
      const { ledger, account } = bot;
      const readings = [
        counters('bot_items_total', 'Items of batches that were sent.', 'type', tally.items),
        counters('bot_refusals_total', 'Items and batches that were refused, by kind.', 'kind', tally.refusals),
        counters('bot_batches_total', 'Batches by what became of them.', 'outcome', tally.outcomes),
        counters('bot_pulls_total', 'Times that all orders were cancelled, by reason.', 'reason', tally.pulls),
        counters('bot_cuts_total', 'Decisions that a limit made smaller.', 'limit', tally.cuts),
        counters('bot_troubles_total', 'What streams told that went wrong, by code.', 'code', troubles),
        counter('bot_fills_total', 'Fills of the account in the market.', fills),
        {
          name: 'bot_batch_seconds',
          help: 'Time of batches from sending to the outcome.',
          type: 'histogram' as const,
          buckets: tookBounds.map((bound, index) => [bound, took.counts[index]!] as const),
          sum: took.seconds,
        },
        gauge('bot_position_units', 'Position, base units; negative is short.', Number(account?.position ?? 0n)),
        gauge('bot_collateral_wei', 'Collateral of the account.', Number(account?.collateral ?? 0n)),
        gauge('bot_account_height', 'Block that the account is known of.', Number(account?.blockNumber ?? 0n)),
        gauge('bot_account_sure', '1 while the account is surely what the chain has.', bot.isSure ? 1 : 0),
        gauge('bot_halted', '1 once the bot stopped for good.', bot.halted === null ? 0 : 1),
        gauge('bot_pulled', '1 while all quotes are taken back.', bot.pulled === null ? 0 : 1),
        gauge(
          'bot_profit_wei',
          'Profit at the fair price, after fees and funding, since the start or since the loss limit counts.',
          price === null ? 0 : Number(bot.profit(price) ?? 0n),
        ),
        gauge(
          'bot_funding_wei',
          'Funding that was settled since the start; negative was paid.',
          Number(ledger?.funding ?? 0n),
        ),
      ];
      return renderMetrics(readings, gaugesOf(bot, labels));
    },
  };
}
