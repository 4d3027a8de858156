import { dashboard, quantile, rate, units } from './build.mjs';

export const node = dashboard({
  uid: 'prime-node',
  title: 'Node',
  words: 'One node: since when it runs, what it complains of, what it keeps, its remote signer.',
  rows: {
    Process: [
      {
        title: 'Started',
        words: 'When the process was started.',
        unit: units.fromNow,
        stat: true,
        targets: { '{{instance}}': 'process_start_time_seconds{@} * 1000' },
      },
      {
        title: 'Log lines',
        words: 'Errors need a human, warnings may.',
        unit: units.perSecond,
        targets: { '{{level}} {{instance}}': rate('prime_log_lines_total') },
      },
      {
        title: 'Answers of threads',
        words: 'How long each took to answer the supervisor at this scrape.',
        unit: units.seconds,
        targets: { '{{thread}} {{instance}}': 'prime_thread_answer_seconds{@}' },
      },
    ],
    History: [
      {
        title: 'Home',
        words: 'Bytes of blocks, state, log and snapshots.',
        unit: units.bytes,
        targets: { '{{instance}}': 'prime_home_bytes{@}' },
      },
      {
        title: 'Snapshots',
        words: 'Taken and failed since the start.',
        targets: {
          'taken {{instance}}': 'prime_snapshots_taken_total{@}',
          'failed {{instance}}': 'prime_snapshots_failed_total{@}',
        },
      },
      {
        title: 'Newest snapshot',
        words: 'Blocks since the one that was taken last in this run.',
        targets: { '{{instance}}': 'prime_consensus_height{@} - (prime_snapshot_height{@} > 0)' },
      },
      {
        title: 'Waiting to be pruned',
        words: 'Heights that are older than [history] keeps.',
        targets: { '{{instance}}': 'prime_prune_backlog_blocks{@}' },
      },
    ],
    'Remote signer': [
      {
        title: 'Connected',
        words: '1 while the node reaches its remote signer; 0 also where there is none.',
        targets: { '{{instance}}': 'prime_remote_signer_connected{@}' },
      },
      {
        title: 'Time of a signature',
        words: 'From the request to the answer.',
        unit: units.seconds,
        targets: {
          'p50 {{instance}}': quantile(0.5, 'prime_remote_signer_request_seconds'),
          'p99 {{instance}}': quantile(0.99, 'prime_remote_signer_request_seconds'),
        },
      },
      {
        title: 'Refusals',
        words: 'Requests of the node that its signer refused.',
        targets: { '{{instance}}': 'prime_remote_signer_refusals_total{@}' },
      },
      {
        title: 'Nodes at the signer',
        words: 'Of each remote signer: nodes that are connected.',
        targets: { '{{instance}}': 'prime_signer_nodes{@}' },
      },
      {
        title: 'Signed height',
        words: 'Height of the newest signature.',
        targets: { '{{instance}}': 'prime_signer_height{@}' },
      },
      {
        title: 'Requests to the signer',
        words: 'Signed, refused, and connections that were not let in.',
        unit: units.perSecond,
        targets: {
          'signed {{instance}}': rate('prime_signer_signed_total'),
          'refused {{instance}}': rate('prime_signer_refused_total'),
          'turned away {{instance}}': rate('prime_signer_turned_away_total'),
        },
      },
    ],
  },
});
