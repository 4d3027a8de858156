import { dashboard, quantile, rate, units } from './build.mjs';

export const consensus = dashboard({
  uid: 'prime-consensus',
  title: 'Consensus rounds',
  words: 'Where the time of a block goes between validators.',
  rows: {
    Rounds: [
      {
        title: 'Round of the height in progress',
        words: '0 on a healthy network.',
        targets: { '{{instance}}': 'prime_consensus_round{@}' },
      },
      {
        title: 'Blocks that needed more than one round',
        words: 'As a part of all blocks.',
        unit: units.ratio,
        targets: {
          '{{instance}}': `${rate('prime_consensus_late_decisions_total')} / (${rate('prime_consensus_block_interval_seconds_count')} > 0)`,
        },
      },
      {
        title: 'Rounds',
        words: 'Rounds that were entered.',
        unit: units.perSecond,
        targets: { '{{instance}}': rate('prime_consensus_rounds_total') },
      },
      {
        title: 'Time between blocks',
        words: 'Of consecutive commits.',
        unit: units.seconds,
        targets: {
          'p50 {{instance}}': quantile(0.5, 'prime_consensus_block_interval_seconds'),
          'p99 {{instance}}': quantile(0.99, 'prime_consensus_block_interval_seconds'),
        },
      },
      {
        title: 'Time of a round',
        words: 'From its begin to the commit, or to the next round.',
        unit: units.seconds,
        targets: {
          'p50 {{instance}}': quantile(0.5, 'prime_consensus_round_seconds'),
          'p99 {{instance}}': quantile(0.99, 'prime_consensus_round_seconds'),
        },
      },
      {
        title: 'Steps, half of them',
        words: 'Own steps: to the prevote, to the precommit, to the commit.',
        unit: units.seconds,
        targets: { '{{step}} {{instance}}': quantile(0.5, 'prime_consensus_step_seconds', 'step') },
      },
      {
        title: 'From proposal to quorum',
        words: 'From the timestamp of a block to the own precommit of it.',
        unit: units.seconds,
        targets: { 'p50 {{instance}}': quantile(0.5, 'prime_consensus_quorum_prevote_delay_seconds') },
      },
      {
        title: 'Late votes',
        words: 'Votes that came when their block was durable already.',
        unit: units.perSecond,
        targets: { '{{instance}}': rate('prime_consensus_late_votes_total') },
      },
    ],
    Clocks: [
      {
        title: 'Clock against the other proposers',
        words: 'Ahead above 0. Blocks of who is more than 0.25 s behind or 2 s ahead are late or refused.',
        unit: units.seconds,
        targets: { '{{instance}}': 'prime_clock_offset_seconds{@}' },
      },
      {
        title: 'Age of the newest block at its commit',
        words: "By this node's clock; below 0 when the clock is behind.",
        unit: units.seconds,
        targets: { '{{instance}}': 'prime_consensus_block_age_seconds{@}' },
      },
    ],
    Disk: [
      {
        title: 'Waits for the disk, 99 of 100',
        words: 'Before each signature the log and the sign state are on disk; before each answer the block is.',
        unit: units.seconds,
        targets: { '{{file}} {{instance}}': quantile(0.99, 'prime_disk_sync_seconds', 'file') },
      },
      {
        title: 'Syncs',
        words: 'How often consensus waited for the disk.',
        unit: units.perSecond,
        targets: { '{{file}} {{instance}}': rate('prime_disk_sync_seconds_count') },
      },
      {
        title: 'Log of consensus',
        words: 'Bytes that were written.',
        unit: units.bytesPerSecond,
        targets: { '{{instance}}': rate('prime_log_bytes_total') },
      },
    ],
  },
});
