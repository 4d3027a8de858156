import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type ConsensusStanding, diskRoom, freeBytes, type Standing, standingMetrics } from './standingMetrics.ts';
import { clientVersion } from '../version.ts';

const traffic = (bytes: number) => ({ consensus: { frames: 1, bytes } });
const consensus = {
  head: 7,
  lag: 12,
  peers: [{ role: 'validator' }, { role: 'full' }, { role: 'validator' }],
  active: true,
  self: '0xa1',
  jailed: false,
  connectedPower: '30',
  missingPower: '10',
  totalPower: '40',
  mempool: { pending: 1, queued: 2, transactionBytes: 300, actions: 4, actionBytes: 500, fill: 0.25 },
  traffic: {
    received: traffic(11),
    sent: traffic(22),
    dropped: { queue: 3 },
    refused: { NETWORK_GENESIS_MISMATCH: 2 },
    queueBytes: 44,
  },
  upgrade: { version: 2, known: 3, next: { version: 4, height: 900, known: false, readyPower: '30' } },
} as unknown as ConsensusStanding;
const execution = { funds: { insurance: 10n ** 18n, escrowSurplus: -7n } };
const decimals = { baseDecimals: 2, quoteDecimals: 4 };
const market = { id: 1, symbol: 'A/B', decimals, orders: 9, openInterest: 250n, trades: 12, index: null };
const gateway = {
  markets: {
    count: 40,
    first: [
      { ...market, bestBid: 90n, bestAsk: 110n, markPrice: 100n, lastPrice: 98n },
      {
        ...market,
        id: 2,
        index: { price: 102n, staleMs: 2_500 },
        symbol: 'C',
        bestBid: 90n,
        bestAsk: null,
        markPrice: null,
        lastPrice: null,
      },
    ],
  },
  reporters: [
    { validator: '0xa0', silentMs: 100, minutes: 7, reportedMinutes: 7 },
    { validator: '0xa1', silentMs: 4_500, minutes: 9, reportedMinutes: 4 },
  ],
} as unknown as Standing['gateway'];
const answers = [{ labels: { thread: 'evm' }, value: 0.5 }];
const own: Pick<Standing, 'answers' | 'process' | 'vitals'> = {
  answers,
  process: {
    startSeconds: 1_700_000_000,
    cpuSeconds: 12,
    residentBytes: 1000,
    memoryLimitBytes: 4000,
    openFiles: 70,
    openFilesLimit: 1024,
  },
  vitals: [
    { thread: 'evm', vitals: { heapBytes: 5, heapLimitBytes: 50, externalBytes: 6, busySeconds: 0.25 } },
    { thread: 'clob', vitals: { heapBytes: 7, heapLimitBytes: 50, externalBytes: 8, busySeconds: 2 } },
  ],
};
const all: Standing = {
  ...own,
  consensus,
  execution,
  gateway,
  disk: { freeBytes: 99, sizeBytes: 200 },
  homeBytes: 88,
};
const silent: Standing = {
  answers,
  process: { ...own.process, openFiles: null, openFilesLimit: null },
  vitals: [],
  consensus: null,
  execution: null,
  gateway: null,
  disk: null,
  homeBytes: null,
};
const build = `prime_build_info{"program":"${clientVersion}","node":"${process.version}"} 1`;

/** Lines `name{labels} value`. */
const linesOf = (standing: Standing): string[] =>
  standingMetrics.flatMap(({ name, read }) =>
    read(standing).map(({ labels, value }) => `${name}${JSON.stringify(labels)} ${value}`),
  );

it('a standing as metrics', () => {
  expect(linesOf(all)).toEqual([
    'prime_consensus_height{} 7',
    'prime_peers{"role":"validator"} 2',
    'prime_peers{"role":"full"} 1',
    'prime_peers{"role":"archive"} 0',
    'prime_voting_power_connected{} 30',
    'prime_voting_power{} 40',
    'prime_voting_power_missing{} 10',
    'prime_sync_lag_blocks{} 12',
    'prime_validator_in_set{} 1',
    'prime_validator_jailed{} 0',
    'prime_mempool_items{"kind":"pending"} 1',
    'prime_mempool_items{"kind":"queued"} 2',
    'prime_mempool_items{"kind":"actions"} 4',
    'prime_mempool_bytes{"kind":"transactions"} 300',
    'prime_mempool_bytes{"kind":"actions"} 500',
    'prime_mempool_fill_ratio{} 0.25',
    'prime_p2p_bytes_total{"direction":"received","channel":"consensus"} 11',
    'prime_p2p_bytes_total{"direction":"sent","channel":"consensus"} 22',
    'prime_p2p_dropped_total{"reason":"queue"} 3',
    'prime_p2p_refused_total{"code":""} 0',
    'prime_p2p_refused_total{"code":"NETWORK_GENESIS_MISMATCH"} 2',
    'prime_p2p_queue_bytes{} 44',
    'prime_protocol_version{} 2',
    'prime_protocol_known_version{} 3',
    'prime_upgrade_height{} 900',
    'prime_upgrade_known{} 0',
    'prime_upgrade_ready_voting_power{} 30',
    'prime_insurance_fund_wei{} 1000000000000000000',
    'prime_escrow_surplus_wei{} -7',
    'prime_markets{} 40',
    'prime_market_orders{"market":"1","symbol":"A/B"} 9',
    'prime_market_orders{"market":"2","symbol":"C"} 9',
    'prime_market_trades_total{"market":"1","symbol":"A/B"} 12',
    'prime_market_trades_total{"market":"2","symbol":"C"} 12',
    'prime_market_open_interest{"market":"1","symbol":"A/B"} 2.5',
    'prime_market_open_interest{"market":"2","symbol":"C"} 2.5',
    'prime_market_mark_price{"market":"1","symbol":"A/B"} 1',
    'prime_market_last_price{"market":"1","symbol":"A/B"} 0.98',
    'prime_market_spread_ratio{"market":"1","symbol":"A/B"} 0.2',
    'prime_market_index_price{"market":"2","symbol":"C"} 1.02',
    'prime_market_index_stale_seconds{"market":"2","symbol":"C"} 2.5',
    'prime_oracle_report_age_seconds{} 4.5',
    'prime_oracle_minutes{} 9',
    'prime_oracle_reported_minutes{} 4',
    'prime_thread_answer_seconds{"thread":"evm"} 0.5',
    'prime_disk_free_bytes{} 99',
    'prime_disk_size_bytes{} 200',
    'prime_home_bytes{} 88',
    'process_start_time_seconds{} 1700000000',
    'process_cpu_seconds_total{} 12',
    'process_resident_memory_bytes{} 1000',
    'process_open_fds{} 70',
    'process_max_fds{} 1024',
    'prime_memory_limit_bytes{} 4000',
    build,
    'process_heap_bytes{} 12',
    'prime_thread_heap_bytes{"thread":"evm"} 5',
    'prime_thread_heap_bytes{"thread":"clob"} 7',
    'prime_thread_heap_limit_bytes{"thread":"evm"} 50',
    'prime_thread_heap_limit_bytes{"thread":"clob"} 50',
    'prime_thread_external_bytes{"thread":"evm"} 6',
    'prime_thread_external_bytes{"thread":"clob"} 8',
    'prime_thread_event_loop_busy_seconds_total{"thread":"evm"} 0.25',
    'prime_thread_event_loop_busy_seconds_total{"thread":"clob"} 2',
  ]);
});

it('of threads that hang nothing is said but how long they were waited for', () => {
  expect(linesOf(silent)).toEqual([
    'prime_thread_answer_seconds{"thread":"evm"} 0.5',
    'process_start_time_seconds{} 1700000000',
    'process_cpu_seconds_total{} 12',
    'process_resident_memory_bytes{} 1000',
    'prime_memory_limit_bytes{} 4000',
    build,
    'process_heap_bytes{} 0',
  ]);
});

it('where no upgrade is planned, nothing is said of it', () => {
  const calm = { ...consensus, upgrade: { version: 2, known: 3, next: null } };
  expect(linesOf({ ...all, consensus: calm }).filter((line) => /^prime_(?:upgrade|protocol)/.test(line))).toEqual([
    'prime_protocol_version{} 2',
    'prime_protocol_known_version{} 3',
  ]);
});

it('labels of each value are those that the metric has', () => {
  for (const { labelNames, read } of standingMetrics)
    for (const { labels } of read(all)) expect(Object.keys(labels)).toEqual(labelNames);
});

it('room on the disk of a folder; of none that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prime-room-'));
  expect(freeBytes(folder)).toBeGreaterThan(0);
  expect(diskRoom(folder)!.sizeBytes).toBeGreaterThan(freeBytes(folder)!);
  rmSync(folder, { recursive: true });
  expect(freeBytes(folder)).toBeNull();
});
