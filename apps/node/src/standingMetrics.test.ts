import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type ConsensusStanding, freeBytes, type Standing, standingGauges } from './standingMetrics.ts';
import { clientVersion } from './version.ts';

const traffic = (bytes: number) => ({ consensus: { frames: 1, bytes } });
const consensus = {
  head: 7,
  lag: 12,
  peers: [{ role: 'validator' }, { role: 'full' }, { role: 'validator' }],
  active: true,
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
} as unknown as ConsensusStanding;
const answers = [{ labels: { thread: 'evm' }, value: 0.5 }];
const own = {
  process: { residentBytes: 1000, openFiles: 70, openFilesLimit: 1024 },
  vitals: [{ thread: 'evm', vitals: { heapBytes: 5, heapLimitBytes: 50, externalBytes: 6, loopBusy: 0.25 } }],
};
const unknown = { process: { residentBytes: 1000, openFiles: null, openFilesLimit: null }, vitals: [] };
const build = `prime_build_info{"program":"${clientVersion}","node":"${process.version}"} 1`;

/** Lines `name{labels} value`. */
const linesOf = (standing: Standing): string[] =>
  standingGauges.flatMap(({ name, read }) =>
    read(standing).map(({ labels, value }) => `${name}${JSON.stringify(labels)} ${value}`),
  );

it('a standing as gauges', () => {
  expect(linesOf({ consensus, answers, freeBytes: 99, homeBytes: 88, ...own })).toEqual([
    'prime_consensus_height{} 7',
    'prime_peers{"role":"validator"} 2',
    'prime_peers{"role":"full"} 1',
    'prime_peers{"role":"archive"} 0',
    'prime_power_connected{} 30',
    'prime_power_total{} 40',
    'prime_power_missing{} 10',
    'prime_sync_lag_blocks{} 12',
    'prime_validator_in_set{} 1',
    'prime_validator_jailed{} 0',
    'prime_mempool_items{"kind":"pending"} 1',
    'prime_mempool_items{"kind":"queued"} 2',
    'prime_mempool_items{"kind":"actions"} 4',
    'prime_mempool_bytes{"kind":"transactions"} 300',
    'prime_mempool_bytes{"kind":"actions"} 500',
    'prime_mempool_fill{} 0.25',
    'prime_p2p_bytes_total{"direction":"received","channel":"consensus"} 11',
    'prime_p2p_bytes_total{"direction":"sent","channel":"consensus"} 22',
    'prime_p2p_dropped_total{"reason":"queue"} 3',
    'prime_p2p_refused_total{"code":""} 0',
    'prime_p2p_refused_total{"code":"NETWORK_GENESIS_MISMATCH"} 2',
    'prime_p2p_queue_bytes{} 44',
    'prime_thread_answer_seconds{"thread":"evm"} 0.5',
    'prime_disk_free_bytes{} 99',
    'prime_home_bytes{} 88',
    'prime_resident_bytes{} 1000',
    'prime_open_files{} 70',
    'prime_open_files_limit{} 1024',
    'prime_heap_bytes{"thread":"evm"} 5',
    'prime_heap_limit_bytes{"thread":"evm"} 50',
    'prime_external_bytes{"thread":"evm"} 6',
    'prime_event_loop_busy{"thread":"evm"} 0.25',
    build,
  ]);
});

it('of a thread that hangs nothing is said but how long it was waited for', () => {
  expect(linesOf({ consensus: null, answers, freeBytes: null, homeBytes: null, ...unknown })).toEqual([
    'prime_thread_answer_seconds{"thread":"evm"} 0.5',
    'prime_resident_bytes{} 1000',
    build,
  ]);
});

it('labels of each value are those that the gauge has', () => {
  for (const { labelNames, read } of standingGauges)
    for (const { labels } of read({ consensus, answers, freeBytes: 1, homeBytes: 1, ...own }))
      expect(Object.keys(labels)).toEqual(labelNames);
});

it('room on the disk of a folder; of none that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prime-room-'));
  expect(freeBytes(folder)).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
  expect(freeBytes(folder)).toBeNull();
});
