/** Situations in which each alert of deploy/prometheus fires, and neighbours of them in which it rests; promtool plays them in virtual time. */
import {
  type AlertCase,
  blockAge,
  diskSyncLabels,
  fork,
  hour,
  job,
  level,
  mean,
  misses,
  missing,
  node,
  once,
  other,
  rare,
  ready,
  type Series,
  signerGone,
} from './alertSeries.ts';

const network: readonly AlertCase[] = [
  {
    alert: 'PrimeNodeDown',
    fires: { series: { up: '1x5 0x55' }, at: 10, labels: node },
    // Down for a minute at most, and not there at all.
    rests: [
      { up: '1x9 0x51' },
      { 'up{job="prime-signer",instance="n0"}': `0${hour}` },
      { 'up{job="else"}': `0${hour}` },
    ],
  },
  {
    alert: 'PrimeNodesAbsent',
    fires: { series: { 'up{job="else"}': `1${hour}`, 'up{job="prime-signer"}': `1${hour}` }, at: 10, labels: {} },
    rests: [{ up: `0${hour}` }],
  },
  {
    alert: 'PrimeRestartLoop',
    fires: { series: { process_start_time_seconds: '1x14 2 3 4x40' }, at: 20, labels: node },
    rests: [{ process_start_time_seconds: '1x14 2x2 3x40' }, { process_start_time_seconds: '1 2 3 4x60' }],
  },
  {
    alert: 'PrimeChainHalts',
    fires: {
      series: {
        prime_consensus_block_timestamp_seconds: `0+60x10 600x50`,
        prime_consensus_empty_block_interval_seconds: `4${hour}`,
      },
      at: 13,
      labels: job,
    },
    rests: [
      // 60 s at most between blocks.
      {
        prime_consensus_block_timestamp_seconds: blockAge(60),
        prime_consensus_empty_block_interval_seconds: `4${hour}`,
      },
      // One node stands still, the other does not.
      {
        prime_consensus_block_timestamp_seconds: `0${hour}`,
        prime_consensus_empty_block_interval_seconds: `4${hour}`,
        [other('prime_consensus_block_timestamp_seconds')]: blockAge(0),
      },
    ],
  },
  {
    alert: 'PrimeFork',
    fires: { series: fork(78, 200), at: 5, labels: job },
    // The same chain; another one's number of another height.
    rests: [fork(77, 200), fork(78, 100)],
  },
  level('PrimeMissingPower', missing, [10, 11], job),
  level('PrimeMissingPowerNearHalt', missing, [25, 26], job),
  level(
    'PrimeLateRounds',
    (late) => ({
      prime_consensus_late_decisions_total: `0+${late}${hour}`,
      prime_consensus_block_interval_seconds_count: `0+60${hour}`,
    }),
    [6, 7],
    job,
  ),
  level('PrimeManyRounds', (round) => ({ prime_consensus_round: `${round}${hour}` }), [2, 3], job),
  {
    ...rare('PrimeEvidence', 'prime_consensus_evidence_total'),
    fires: { series: { prime_consensus_evidence_total: once }, at: 25, labels: job },
    rests: [{ prime_consensus_evidence_total: `1${hour}` }],
  },
  {
    alert: 'PrimeProgramsDiffer',
    fires: {
      series: {
        'prime_build_info{job="prime",instance="n0",program="a"}': '1x90',
        'prime_build_info{job="prime",instance="n1",program="b"}': '1x90',
      },
      at: 61,
      labels: job,
    },
    rests: [
      {
        'prime_build_info{job="prime",instance="n0",program="a"}': '1x90',
        'prime_build_info{job="prime",instance="n1",program="a"}': '1x90',
        'prime_build_info{job="prime-signer",instance="n1",program="b"}': '1x90',
      },
    ],
  },
  level(
    'PrimeUpgradeUnknown',
    (known) => ({
      prime_upgrade_known: `${1 - known}${hour}`,
      prime_upgrade_height: `900${hour}`,
      prime_consensus_height: `100${hour}`,
    }),
    [0, 1],
  ),
  {
    alert: 'PrimeUpgradeNotReady',
    fires: {
      series: {
        prime_upgrade_ready_voting_power: `2${hour}`,
        prime_voting_power: `3${hour}`,
        prime_upgrade_height: `6000${hour}`,
        prime_consensus_height: `1001${hour}`,
      },
      at: 15,
      labels: job,
    },
    rests: [
      {
        prime_upgrade_ready_voting_power: `3${hour}`,
        prime_voting_power: `4${hour}`,
        prime_upgrade_height: `6000${hour}`,
        prime_consensus_height: `1001${hour}`,
      },
      {
        prime_upgrade_ready_voting_power: `2${hour}`,
        prime_voting_power: `3${hour}`,
        prime_upgrade_height: `6000${hour}`,
        prime_consensus_height: `1000${hour}`,
      },
    ],
  },
];

const validator: readonly AlertCase[] = [
  level(
    'PrimePeersBelowQuorum',
    (away) => ({ prime_voting_power_connected: `${30 - away}${hour}`, prime_voting_power: `30${hour}` }),
    [9, 10],
  ),
  {
    alert: 'PrimeValidatorMisses',
    fires: { series: misses(31), at: 12, labels: node },
    rests: [misses(30), misses(60, { prime_validator_in_set: `0${hour}` }), misses(60, signerGone)],
  },
  level('PrimeJailed', (jailed) => ({ prime_validator_jailed: `${jailed}${hour}` }), [0, 1]),
  {
    alert: 'PrimeLeftTheSet',
    fires: { series: { prime_validator_in_set: '1x9 0x50', prime_validator_jailed: `0${hour}` }, at: 15, labels: node },
    rests: [
      { prime_validator_in_set: `0${hour}`, prime_validator_jailed: `0${hour}` },
      { prime_validator_in_set: '1x9 0x50', prime_validator_jailed: `1${hour}` },
    ],
  },
  {
    alert: 'PrimeSignerAway',
    fires: { series: signerGone, at: 10, labels: node },
    // A node without a remote signer.
    rests: [{ prime_remote_signer_connected: `0${hour}` }, { prime_remote_signer_connected: `1${hour}` }],
  },
  {
    alert: 'PrimeSignerDown',
    fires: {
      series: { 'up{job="prime-signer",instance="s0"}': '1x5 0x55' },
      at: 10,
      labels: { job: 'prime-signer', instance: 's0' },
    },
    rests: [{ 'up{job="prime-signer",instance="s0"}': '1x9 0x51' }, { up: `0${hour}` }],
  },
  rare('PrimeSignerRefuses', 'prime_remote_signer_refusals_total'),
  rare('PrimeSignerTurnsAway', 'prime_signer_turned_away_total'),
  {
    ...level('PrimeClockOff', (offset) => ({ prime_clock_offset_seconds: `${offset}${hour}` }), [2, 2.01]),
    rests: [
      { prime_clock_offset_seconds: `2${hour}` },
      { prime_clock_offset_seconds: `-0.25${hour}` },
      { prime_clock_offset_seconds: '0x28 3x32' },
    ],
  },
  level('PrimeClockOff', (offset) => ({ prime_clock_offset_seconds: `${-offset}${hour}` }), [0.25, 0.26]),
];

const stalled = (more: Series = {}): Series => ({
  prime_consensus_block_timestamp_seconds: `0${hour}`,
  prime_consensus_height: `7${hour}`,
  [other('prime_consensus_block_timestamp_seconds')]: blockAge(0),
  ...ready,
  ...more,
});
const rpc = (share: number): Series => ({
  'prime_rpc_request_seconds_bucket{job="prime",instance="n0",class="read",le="1"}': `0+${1000 - share}${hour}`,
  'prime_rpc_request_seconds_bucket{job="prime",instance="n0",class="read",le="2.5"}': `0+1000${hour}`,
  'prime_rpc_request_seconds_bucket{job="prime",instance="n0",class="read",le="+Inf"}': `0+1000${hour}`,
});
const refused = (code: string): Series => ({
  [`prime_p2p_refused_total{job="prime",instance="n0",code="${code}"}`]: `0+1${hour}`,
});
const limited = (reason: string): Series => ({
  [`prime_rpc_limited_total{job="prime",instance="n0",reason="${reason}"}`]: `0+1${hour}`,
});
const dropped = (reason: string): Series => ({
  [`prime_p2p_dropped_total{job="prime",instance="n0",reason="${reason}"}`]: `0+1${hour}`,
});
const busy = (thread: string, seconds: number): Series => ({
  [`prime_thread_cpu_seconds_total{job="prime",instance="n0",thread="${thread}"}`]: `0+${seconds}${hour}`,
});

const nodes: readonly AlertCase[] = [
  {
    alert: 'PrimeNodeStalls',
    fires: { series: stalled(), at: 5, labels: node },
    rests: [
      // It catches up; it is cut off, which has an alert of its own; all stand still.
      stalled({ prime_consensus_height: `7+1${hour}` }),
      stalled({ prime_voting_power_connected: `1${hour}` }),
      stalled({ [other('prime_consensus_block_timestamp_seconds')]: `0${hour}` }),
    ],
  },
  level('PrimeSyncLag', (blocks) => ({ prime_sync_lag_blocks: `${blocks}${hour}` }), [100, 101]),
  {
    alert: 'PrimeWrongChainPeers',
    fires: {
      series: refused('NETWORK_GENESIS_MISMATCH'),
      at: 30,
      labels: { ...node, code: 'NETWORK_GENESIS_MISMATCH' },
    },
    rests: [refused('NETWORK_DUPLICATE')],
  },
  {
    alert: 'PrimeSlowPeers',
    fires: { series: dropped('queue'), at: 30, labels: node },
    rests: [dropped('rate')],
  },
  level('PrimeMempoolFull', (fill) => ({ prime_mempool_fill_ratio: `${fill}${hour}` }), [0.9, 0.91]),
  {
    alert: 'PrimeRpcSheds',
    fires: { series: limited('overload'), at: 30, labels: node },
    // A client over its own limits is its own matter.
    rests: [limited('rate')],
  },
  rare('PrimeRpcFails', 'prime_rpc_internal_errors_total'),
  level('PrimeRpcSlow', rpc, [10, 11], { ...node, class: 'read' }),
  {
    alert: 'PrimeThreadBusy',
    fires: { series: busy('evm', 55), at: 30, labels: { ...node, thread: 'evm' } },
    rests: [busy('evm', 54), busy('other', 60)],
  },
  level(
    'PrimeThreadLate',
    (seconds) => ({ 'prime_thread_answer_seconds{job="prime",instance="n0",thread="evm"}': `${seconds}${hour}` }),
    [1, 1.1],
    { ...node, thread: 'evm' },
  ),
  {
    alert: 'PrimeBusFull',
    fires: {
      series: { 'prime_bus_full_total{job="prime",instance="n0",link="evm-clob",side="a"}': once },
      at: 25,
      labels: { ...node, link: 'evm-clob' },
    },
    rests: [{ 'prime_bus_full_total{job="prime",instance="n0",link="evm-clob",side="a"}': `9${hour}` }],
  },
  level('PrimeExecutionSlow', mean('prime_execution_seconds', ''), [0.5, 0.51]),
  {
    alert: 'PrimeLogErrors',
    fires: {
      series: { 'prime_log_lines_total{job="prime",instance="n0",level="error"}': once },
      at: 25,
      labels: { ...node, level: 'error' },
    },
    rests: [{ 'prime_log_lines_total{job="prime",instance="n0",level="warn"}': once }],
  },
  {
    ...rare('PrimeSnapshotsFail', 'prime_snapshots_failed_total'),
    rests: [{ prime_snapshots_failed_total: `1${hour}` }],
  },
  {
    alert: 'PrimePruningBehind',
    fires: { series: { prime_prune_backlog_blocks: '1001x90' }, at: 80, labels: node },
    rests: [{ prime_prune_backlog_blocks: '1000x90' }, { prime_prune_backlog_blocks: '9000-8x90' }],
  },
];

const interest = 'prime_market_open_interest{job="prime",instance="n0",market="1",symbol="A"}';
const trades = 'prime_market_trades_total{job="prime",instance="n0",market="1",symbol="A"}';
const money: readonly AlertCase[] = [
  level('PrimeEscrowShort', (lack) => ({ prime_escrow_surplus_wei: `${-lack}${hour}` }), [0, 1], job),
  {
    alert: 'PrimeInsuranceFundFalls',
    fires: { series: { prime_insurance_fund_wei: '100x9 49x50' }, at: 20, labels: job },
    rests: [
      { prime_insurance_fund_wei: '100x9 50x50' },
      { prime_insurance_fund_wei: `0${hour}` },
      { prime_insurance_fund_wei: `49+1${hour}` },
    ],
  },
  {
    alert: 'PrimeMarkStale',
    fires: {
      series: { [interest]: '1x90', [trades]: '5x90' },
      at: 80,
      labels: { ...job, market: '1', symbol: 'A' },
    },
    rests: [
      { [interest]: '0x90', [trades]: '5x90' },
      { [interest]: '1x90', [trades]: '5x59 6x40' },
    ],
  },
  level(
    'PrimeIndexStale',
    (seconds) => ({ 'prime_market_index_stale_seconds{job="prime",market="1",symbol="A"}': `${seconds}${hour}` }),
    [30, 31],
    { ...job, market: '1', symbol: 'A' },
  ),
  level('PrimeFeederSilent', (seconds) => ({ prime_oracle_report_age_seconds: `${seconds}${hour}` }), [30, 31]),
  {
    alert: 'PrimeOracleMissing',
    fires: {
      series: { prime_oracle_minutes: '41+1x60', prime_oracle_reported_minutes: `30${hour}` },
      at: 30,
      labels: node,
    },
    rests: [
      { prime_oracle_minutes: '21+1x60', prime_oracle_reported_minutes: `1${hour}` },
      { prime_oracle_minutes: '41+1x60', prime_oracle_reported_minutes: '30+1x60' },
    ],
  },
];

const machine: readonly AlertCase[] = [
  {
    ...level('PrimeDiskSpace', (gigabytes) => ({ prime_disk_free_bytes: `${gigabytes}e9${hour}` }), [5, 4]),
    // What is full is told by the other one.
    rests: [{ prime_disk_free_bytes: `5e9${hour}` }, { prime_disk_free_bytes: `5e8${hour}` }],
  },
  {
    // 100 GB, of which 0.1 GB go each minute: 144 GB a day.
    alert: 'PrimeDiskSpace',
    fires: {
      series: { prime_disk_free_bytes: '100e9-1e8x60', prime_disk_size_bytes: `501e9${hour}` },
      at: 30,
      labels: node,
    },
    rests: [
      { prime_disk_free_bytes: '100e9-6e7x60', prime_disk_size_bytes: `501e9${hour}` },
      // Whoever fetches all blocks writes as fast, onto a disk with room.
      { prime_disk_free_bytes: '100e9-1e8x60', prime_disk_size_bytes: `480e9${hour}` },
    ],
  },
  level('PrimeDiskFull', (bytes) => ({ prime_disk_free_bytes: `${1e9 - bytes}${hour}` }), [0, 1]),
  level('PrimeDiskSlow', mean('prime_disk_sync_seconds', diskSyncLabels), [0.05, 0.051], { ...node, file: 'log' }),
  level('PrimeOpenFiles', (open) => ({ process_open_fds: `${open}${hour}`, process_max_fds: `100${hour}` }), [25, 26]),
  level(
    'PrimeMemory',
    (taken) => ({ process_resident_memory_bytes: `${taken}${hour}`, prime_memory_limit_bytes: `100${hour}` }),
    [90, 91],
  ),
  level(
    'PrimeHeap',
    (used) => ({
      'prime_thread_heap_bytes{job="prime",instance="n0",thread="evm"}': `${used}${hour}`,
      'prime_thread_heap_limit_bytes{job="prime",instance="n0",thread="evm"}': `100${hour}`,
    }),
    [90, 91],
    { ...node, thread: 'evm' },
  ),
];

export const alertCases: readonly AlertCase[] = [...network, ...validator, ...nodes, ...money, ...machine];
