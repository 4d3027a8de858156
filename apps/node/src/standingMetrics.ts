import { statfsSync } from 'node:fs';
import type { NetworkMetrics } from '@prime/network';
import type { LabelledGauge, LabelledValue } from '@prime/telemetry';

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
