import { dashboard, mean, quantile, rate, units } from './build.mjs';

export const execution = dashboard({
  uid: 'prime-execution',
  title: 'Execution and order book',
  words: 'What blocks cost, what waits for them, and the markets.',
  rows: {
    Blocks: [
      {
        title: 'Time to execute a block',
        words: 'EVM and order book side by side, with the state root.',
        unit: units.seconds,
        targets: {
          'p50 {{instance}}': quantile(0.5, 'prime_execution_seconds'),
          'p99 {{instance}}': quantile(0.99, 'prime_execution_seconds'),
        },
      },
      {
        title: 'Parts of an execution',
        words: 'Mean of each; transactions and order book go on side by side.',
        unit: units.seconds,
        targets: { '{{phase}} {{instance}}': mean('prime_execution_phase_seconds') },
      },
      {
        title: 'Parts of a commit',
        words: 'Mean of each; `write` waits for the disk every few blocks.',
        unit: units.seconds,
        targets: { '{{stage}} {{instance}}': mean('prime_commit_seconds') },
      },
      {
        title: 'Matching',
        words: 'Time of the order book for a block, in its own thread.',
        unit: units.seconds,
        targets: {
          'p50 {{instance}}': quantile(0.5, 'prime_matching_seconds'),
          'p99 {{instance}}': quantile(0.99, 'prime_matching_seconds'),
        },
      },
    ],
    Mempool: [
      {
        title: 'Waiting',
        words: 'Transactions and actions.',
        targets: { '{{kind}} {{instance}}': 'prime_mempool_items{@}' },
      },
      {
        title: 'Bytes that wait',
        words: 'Of transactions and actions.',
        unit: units.bytes,
        targets: { '{{kind}} {{instance}}': 'prime_mempool_bytes{@}' },
      },
      {
        title: 'Room that is taken',
        words: 'Of the kind that has least left; full refuses with -32005.',
        unit: units.ratio,
        max: 1,
        targets: { '{{instance}}': 'prime_mempool_fill_ratio{@}' },
      },
    ],
    Markets: [
      { title: 'Markets', words: 'How many there are.', stat: true, targets: { '': 'max(prime_markets{@})' } },
      {
        title: 'Trades',
        words: 'By market.',
        unit: units.perSecond,
        targets: { '{{symbol}}': `max by (market, symbol) (${rate('prime_market_trades_total')})` },
      },
      {
        title: 'Resting orders',
        words: 'By market.',
        targets: { '{{symbol}}': 'max by (market, symbol) (prime_market_orders{@})' },
      },
      {
        title: 'Prices',
        words: 'Mark price, which margin is reckoned with, the newest trade, and the index from outside.',
        targets: {
          'index {{symbol}}': 'max by (market, symbol) (prime_market_index_price{@})',
          'mark {{symbol}}': 'max by (market, symbol) (prime_market_mark_price{@})',
          'last {{symbol}}': 'max by (market, symbol) (prime_market_last_price{@})',
        },
      },
      {
        title: 'Silence of feeders',
        words: 'For how long a market has had no fresh index, and how old the newest report of each validator is.',
        unit: units.seconds,
        targets: {
          'index {{symbol}}': 'max by (market, symbol) (prime_market_index_stale_seconds{@})',
          'report {{instance}}': 'prime_oracle_report_age_seconds{@}',
        },
      },
      {
        title: 'Spread',
        words: 'Gap between best bid and best ask, as a part of the middle.',
        unit: units.ratio,
        targets: { '{{symbol}}': 'max by (market, symbol) (prime_market_spread_ratio{@})' },
      },
      {
        title: 'Open interest',
        words: 'What longs hold, whole units of the base.',
        targets: { '{{symbol}}': 'max by (market, symbol) (prime_market_open_interest{@})' },
      },
    ],
    Money: [
      {
        title: 'Insurance fund',
        words: 'Wei.',
        targets: { '{{job}}': 'max by (job) (prime_insurance_fund_wei{@})' },
      },
      {
        title: 'Escrow beyond what is owed',
        words: 'Wei; never below 0.',
        targets: { '{{job}}': 'min by (job) (prime_escrow_surplus_wei{@})' },
      },
    ],
  },
});
