import { dashboard, rate, units } from './build.mjs';

/** Of the nodes that agree about the newest checkpoint: their numbers for its block. */
const newestCheckpoint =
  'prime_consensus_checkpoint_fingerprint{@} and on (job, instance) (prime_consensus_checkpoint_height{@} == on (job) group_left () max by (job) (prime_consensus_checkpoint_height{@}))';

export const network = dashboard({
  uid: 'prime-network',
  title: 'Network',
  words: 'Whether the chain goes on, who takes part, and whether all are on the same one.',
  rows: {
    Chain: [
      {
        title: 'Nodes that answer',
        words: '1 while Prometheus reads the metrics.',
        stat: true,
        targets: { '{{instance}}': 'up{@}' },
      },
      {
        title: 'Height',
        words: 'Newest committed block.',
        stat: true,
        targets: { '{{instance}}': 'prime_consensus_height{@}' },
      },
      {
        title: 'Age of the newest block',
        words: 'Beyond a few times the longest interval the chain stands still.',
        unit: units.seconds,
        targets: {
          '{{instance}}': 'time() - prime_consensus_block_timestamp_seconds{@}',
          'longest interval': 'max(prime_consensus_empty_block_interval_seconds{@})',
        },
      },
      {
        title: 'Blocks',
        words: 'Blocks that were committed.',
        unit: units.perSecond,
        targets: { '{{instance}}': rate('prime_consensus_block_interval_seconds_count') },
      },
      {
        title: 'Transactions and actions',
        words: 'What blocks held.',
        unit: units.perSecond,
        targets: {
          'transactions {{instance}}': rate('prime_consensus_transactions_total'),
          'actions {{instance}}': rate('prime_consensus_actions_total'),
        },
      },
      {
        title: 'Signatures recovered',
        words: 'Each once by a node: in the long run as many as blocks hold, and what no block took.',
        unit: units.perSecond,
        targets: { '{{kind}} {{instance}}': rate('prime_signatures_recovered_total') },
      },
      {
        title: 'Heard of again',
        words: 'Transactions and actions that came to be checked once more, and whose signature was known.',
        unit: units.perSecond,
        targets: { '{{kind}} {{instance}}': rate('prime_signatures_known_total') },
      },
      {
        title: 'Blocks behind',
        words: 'What peers have and the node lacks.',
        targets: { '{{instance}}': 'prime_sync_lag_blocks{@}' },
      },
    ],
    Validators: [
      {
        title: 'Voting power that is connected',
        words: 'At two thirds or less a node can not take part in deciding.',
        unit: units.ratio,
        max: 1,
        targets: { '{{instance}}': 'prime_voting_power_connected{@} / prime_voting_power{@}' },
      },
      {
        title: 'Voting power that does not sign',
        words: 'At a third the chain stands still.',
        unit: units.ratio,
        targets: { '{{instance}}': 'prime_voting_power_missing{@} / prime_voting_power{@}' },
      },
      {
        title: 'Own validator',
        words: 'Whether it votes, and whether it is jailed.',
        targets: {
          'in the set {{instance}}': 'prime_validator_in_set{@}',
          'jailed {{instance}}': 'prime_validator_jailed{@}',
        },
      },
      {
        title: 'Missed blocks',
        words: 'Blocks that were decided without the own signature.',
        unit: units.perSecond,
        targets: { '{{instance}}': rate('prime_validator_missed_blocks_total') },
      },
      {
        title: 'Evidence',
        words: 'Proofs that somebody signed twice.',
        targets: { '{{instance}}': 'prime_consensus_evidence_total{@}' },
      },
      {
        title: 'Chains',
        words: 'Highest less lowest fingerprint of the newest checkpoint: 0 while all are on one chain.',
        stat: true,
        targets: { '{{job}}': `max by (job) (${newestCheckpoint}) - min by (job) (${newestCheckpoint})` },
      },
    ],
    Peers: [
      { title: 'Peers', words: 'Connected ones.', targets: { '{{role}} {{instance}}': 'prime_peers{@}' } },
      {
        title: 'Traffic',
        words: 'Bytes of frames to and from peers.',
        unit: units.bytesPerSecond,
        targets: { '{{direction}} {{channel}}': `sum by (direction, channel) (${rate('prime_p2p_bytes_total')})` },
      },
      {
        title: 'Dropped messages',
        words: '`queue`: a peer does not take what is sent to it.',
        unit: units.perSecond,
        targets: { '{{reason}} {{instance}}': rate('prime_p2p_dropped_total') },
      },
      {
        title: 'Refused connections',
        words: 'By what they failed with. A mismatch is a peer of another chain or program.',
        targets: { '{{code}} {{instance}}': 'prime_p2p_refused_total{@}' },
      },
      {
        title: 'Waiting for peers',
        words: 'Bytes in the queues of all peers.',
        unit: units.bytes,
        targets: { '{{instance}}': 'prime_p2p_queue_bytes{@}' },
      },
    ],
    Versions: [
      {
        title: 'Programs',
        words: 'Nodes by program and Node.js.',
        targets: { '{{program}} {{node}}': 'count by (program, node) (prime_build_info{@})' },
      },
      {
        title: 'Rules',
        words: 'Version of the next block, and the newest that programs know.',
        targets: {
          'in force {{instance}}': 'prime_protocol_version{@}',
          'known {{instance}}': 'prime_protocol_known_version{@}',
        },
      },
      {
        title: 'Next upgrade',
        words: 'Blocks until it, and whether the program of the node knows it. Empty where none is planned.',
        targets: {
          'blocks left {{instance}}': 'prime_upgrade_height{@} - prime_consensus_height{@}',
          'known {{instance}}': 'prime_upgrade_known{@}',
        },
      },
      {
        title: 'Ready for the next upgrade',
        words: 'Voting power that said that it goes along; more than two thirds are needed.',
        unit: units.ratio,
        max: 1,
        targets: { '{{instance}}': 'prime_upgrade_ready_voting_power{@} / prime_voting_power{@}' },
      },
    ],
  },
});
