import { statfsSync } from 'node:fs';
import type { NetworkMetrics } from '@prime/network';
import type { LabelledGauge, LabelledValue } from '@prime/telemetry';
import { clientVersion } from './version.ts';

/** What the consensus thread says of itself, as far as it becomes metrics; powers are decimal strings. */
export interface ConsensusStanding {
  readonly head: number;
  readonly lag: number;
  readonly peers: readonly { readonly role: string }[];
  readonly active: boolean;
  readonly jailed: boolean;
  readonly connectedPower: string;
  readonly missingPower: string;
  readonly totalPower: string;
  readonly mempool: MempoolStanding;
  readonly traffic: NetworkMetrics;
}

interface MempoolStanding {
  readonly pending: number;
  readonly queued: number;
  readonly transactionBytes: number;
  readonly actions: number;
  readonly actionBytes: number;
  /** Part of the room that is taken, by number or by bytes, whichever is more: 0 to 1. */
  readonly fill: number;
}

/** What is asked for when Prometheus asks. */
export interface Standing {
  /** Null when it does not answer. */
  readonly consensus: ConsensusStanding | null;
  /** How long each thread took to answer, s. */
  readonly answers: readonly LabelledValue[];
  /** On the file system of the home; null where the system does not tell. */
  readonly freeBytes: number | null;
  /** Of all files in the home; null where it was not measured in time, or can not be. */
  readonly homeBytes: number | null;
  /** Of the whole process. */
  readonly process: ProcessStanding;
  /** Of each thread that answered. */
  readonly vitals: readonly { readonly thread: string; readonly vitals: ThreadVitals }[];
}

/** What the process takes of the machine. */
export interface ProcessStanding {
  readonly residentBytes: number;
  /** null where the system does not tell. */
  readonly openFiles: number | null;
  /** null where there is none, or the system does not tell. */
  readonly openFilesLimit: number | null;
}

/** What a thread says of its own JavaScript engine. */
export interface ThreadVitals {
  readonly heapBytes: number;
  readonly heapLimitBytes: number;
  /** Buffers outside of the heap. */
  readonly externalBytes: number;
  /** Part of the time since it was asked last in which its event loop was busy, 0 to 1. */
  readonly loopBusy: number;
}

interface StandingGauge extends Omit<LabelledGauge, 'read'> {
  readonly read: (standing: Standing) => readonly LabelledValue[];
}

const plain = (value: number): LabelledValue[] => [{ labels: {}, value }];
const gauge = (name: string, help: string, value: (consensus: ConsensusStanding) => number): StandingGauge => ({
  name,
  help,
  labelNames: [],
  read: ({ consensus }) => (consensus === null ? [] : plain(value(consensus))),
});
const labelled = (
  name: string,
  help: string,
  labelNames: readonly string[],
  values: (consensus: ConsensusStanding) => readonly LabelledValue[],
): StandingGauge => ({
  name,
  help,
  labelNames,
  read: ({ consensus }) => (consensus === null ? [] : values(consensus)),
});

const ofThreads = (name: string, help: string, value: (vitals: ThreadVitals) => number): StandingGauge => ({
  name,
  help,
  labelNames: ['thread'],
  read: ({ vitals }) => vitals.map((each) => ({ labels: { thread: each.thread }, value: value(each.vitals) })),
});

const roles = ['validator', 'full', 'archive'] as const;

/** Gauges that are computed when they are asked for; those of a thread that hangs are left out. */
export const standingGauges: readonly StandingGauge[] = [
  gauge('prime_consensus_height', 'Height of the newest committed block.', ({ head }) => head),
  labelled('prime_peers', 'Connected peers.', ['role'], ({ peers }) =>
    roles.map((role) => ({ labels: { role }, value: peers.filter((peer) => peer.role === role).length })),
  ),
  gauge(
    'prime_power_connected',
    'Voting power of the validators that are connected or heard of through others, the own one included.',
    ({ connectedPower }) => Number(connectedPower),
  ),
  gauge('prime_power_total', 'Voting power of all validators of the set.', ({ totalPower }) => Number(totalPower)),
  gauge(
    'prime_power_missing',
    'Voting power of the validators whose signature is not in the newest certificate that a block carries.',
    ({ missingPower }) => Number(missingPower),
  ),
  gauge(
    'prime_sync_lag_blocks',
    'Blocks that a peer has and this node lacks; 0 when it has caught up.',
    ({ lag }) => lag,
  ),
  gauge('prime_validator_in_set', '1 while this node votes for a validator of the set.', ({ active }) =>
    Number(active),
  ),
  gauge('prime_validator_jailed', '1 while the validator of this node is jailed.', ({ jailed }) => Number(jailed)),
  labelled('prime_mempool_items', 'What waits in the mempool.', ['kind'], ({ mempool }) =>
    (['pending', 'queued', 'actions'] as const).map((kind) => ({ labels: { kind }, value: mempool[kind] })),
  ),
  labelled('prime_mempool_bytes', 'Bytes that wait in the mempool.', ['kind'], ({ mempool }) => [
    { labels: { kind: 'transactions' }, value: mempool.transactionBytes },
    { labels: { kind: 'actions' }, value: mempool.actionBytes },
  ]),
  gauge(
    'prime_mempool_fill',
    "Part of the mempool's room that is taken, of the kind that has least left: 0 to 1.",
    ({ mempool }) => mempool.fill,
  ),
  labelled(
    'prime_p2p_bytes_total',
    'Bytes of frames to and from peers since the start.',
    ['direction', 'channel'],
    ({ traffic }) =>
      (['received', 'sent'] as const).flatMap((direction) =>
        Object.entries(traffic[direction]).map(([channel, { bytes }]) => ({
          labels: { direction, channel },
          value: bytes,
        })),
      ),
  ),
  labelled('prime_p2p_dropped_total', 'Messages of peers or to them that were dropped.', ['reason'], ({ traffic }) =>
    Object.entries(traffic.dropped).map(([reason, value]) => ({ labels: { reason }, value })),
  ),
  labelled(
    'prime_p2p_refused_total',
    'Connections that did not become a peer, by what they failed with.',
    ['code'],
    ({ traffic }) => [
      { labels: { code: '' }, value: 0 },
      ...Object.entries(traffic.refused).map(([code, value]) => ({ labels: { code }, value })),
    ],
  ),
  gauge('prime_p2p_queue_bytes', 'Bytes that wait for all peers.', ({ traffic }) => traffic.queueBytes),
  {
    name: 'prime_thread_answer_seconds',
    help: 'How long a thread took to answer the supervisor just now; the longest wait where it did not.',
    labelNames: ['thread'],
    read: ({ answers }) => answers,
  },
  {
    name: 'prime_disk_free_bytes',
    help: 'Bytes that are left on the file system of the home.',
    labelNames: [],
    read: ({ freeBytes }) => (freeBytes === null ? [] : plain(freeBytes)),
  },
  {
    name: 'prime_home_bytes',
    help: 'Bytes of the files in the home of the node: blocks, state, log, snapshots. Measured when asked for, at most once in 5 s, and less often where it takes long.',
    labelNames: [],
    read: ({ homeBytes }) => (homeBytes === null ? [] : plain(homeBytes)),
  },
  {
    name: 'prime_resident_bytes',
    help: 'Memory of the process that is in RAM (RSS).',
    labelNames: [],
    read: (standing) => plain(standing.process.residentBytes),
  },
  {
    name: 'prime_open_files',
    help: 'Files and connections that the process has open.',
    labelNames: [],
    read: ({ process: { openFiles } }) => (openFiles === null ? [] : plain(openFiles)),
  },
  {
    name: 'prime_open_files_limit',
    help: 'How many it may have open; callers wait from a quarter of it on.',
    labelNames: [],
    read: ({ process: { openFilesLimit } }) => (openFilesLimit === null ? [] : plain(openFilesLimit)),
  },
  ofThreads('prime_heap_bytes', 'JavaScript heap of a thread that is in use.', ({ heapBytes }) => heapBytes),
  ofThreads(
    'prime_heap_limit_bytes',
    'Where the JavaScript heap of a thread ends.',
    ({ heapLimitBytes }) => heapLimitBytes,
  ),
  ofThreads('prime_external_bytes', 'Buffers of a thread outside of its heap.', ({ externalBytes }) => externalBytes),
  ofThreads(
    'prime_event_loop_busy',
    'Part of the time since the last scrape in which the event loop of a thread was busy: 0 to 1. Its lag just now is prime_thread_answer_seconds.',
    ({ loopBusy }) => loopBusy,
  ),
  {
    name: 'prime_build_info',
    help: 'Always 1: the program, and the Node.js that it runs on.',
    labelNames: ['program', 'node'],
    read: () => [{ labels: { program: clientVersion, node: process.version }, value: 1 }],
  },
];

/** Null where the system does not tell. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
