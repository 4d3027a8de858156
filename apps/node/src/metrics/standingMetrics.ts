import { statfsSync } from 'node:fs';
import type { ReporterStanding } from '@prime/gateway';
import type { MempoolStatus } from '@prime/mempool';
import type { NetworkMetrics } from '@prime/network';
import type { LabelledMetric, LabelledValue } from '@prime/telemetry';
import { type GatewayStanding, marketMetrics } from './marketMetrics.ts';
import { processMetrics, type ProcessStanding } from './processMetrics.ts';
import { gauge, labelled, type StandingMetric } from './standing.ts';

/** What the consensus thread says of itself, as far as it becomes metrics; powers are decimal strings. */
export interface ConsensusStanding {
  readonly head: number;
  readonly lag: number;
  readonly peers: readonly { readonly role: string }[];
  readonly active: boolean;
  /** Owner of the validator that the node votes for; null for none. */
  readonly self: string | null;
  readonly jailed: boolean;
  readonly connectedPower: string;
  readonly missingPower: string;
  readonly totalPower: string;
  /** `fill`: part of the room that is taken, by number or by bytes, whichever is more: 0 to 1. */
  readonly mempool: MempoolStatus & { readonly fill: number };
  readonly traffic: NetworkMetrics;
  readonly upgrade: UpgradeStanding;
}

/** As consensusService.ts shows it. */
interface UpgradeStanding {
  /** In force for the next block. */
  readonly version: number;
  /** Newest version that this program knows. */
  readonly known: number;
  readonly next: { readonly height: number; readonly known: boolean; readonly readyPower: string } | null;
}

/** What the execution thread says of itself, as far as it becomes metrics. */
export interface ExecutionStanding {
  /** Wei of the order book in the committed state; null before there is one. */
  readonly funds: { readonly insurance: bigint; readonly escrowSurplus: bigint } | null;
}

/** What is asked for when Prometheus asks. */
export interface Standing {
  /** Null when it does not answer. */
  readonly consensus: ConsensusStanding | null;
  readonly execution: ExecutionStanding | null;
  readonly gateway: GatewayStanding | null;
  /** How long each thread took to answer, s. */
  readonly answers: readonly LabelledValue[];
  /** Of the file system of the home; null where the system does not tell. */
  readonly disk: DiskRoom | null;
  /** Of all files in the home; null where it was not measured in time, or can not be. */
  readonly homeBytes: number | null;
  /** Of the whole process. */
  readonly process: ProcessStanding;
  /** Of each thread that answered. */
  readonly vitals: readonly { readonly thread: string; readonly vitals: ThreadVitals }[];
}

/** What a thread says of its own JavaScript engine. */
export interface ThreadVitals {
  readonly heapBytes: number;
  readonly heapLimitBytes: number;
  /** Buffers outside of the heap. */
  readonly externalBytes: number;
  /** Time that its event loop was busy so far. */
  readonly busySeconds: number;
}

/** What the consensus thread says; null while it does not answer. */
const told =
  <T>(value: (consensus: ConsensusStanding) => T) =>
  ({ consensus }: Standing): T | null =>
    consensus && value(consensus);

/** How the validator that this node votes for reports prices. */
const ownReports =
  (value: (reporter: ReporterStanding) => number) =>
  ({ consensus, gateway }: Standing): number | null => {
    const own = consensus?.active === true ? consensus.self : null;
    const found = gateway?.reporters?.find(({ validator }) => validator === own);
    return found === undefined ? null : value(found);
  };

/** Wei of the order book, as the execution thread says. */
const funds =
  (value: (funds: NonNullable<ExecutionStanding['funds']>) => bigint) =>
  ({ execution }: Standing): number | null =>
    execution?.funds == null ? null : Number(value(execution.funds));

/** One of the vitals of each thread. */
const ofThreads = (
  name: string,
  type: LabelledMetric['type'],
  help: string,
  vital: keyof ThreadVitals,
): StandingMetric<Standing> =>
  labelled({ name, type, help }, 'thread', ({ vitals }) =>
    Object.fromEntries(vitals.map((each) => [each.thread, each.vitals[vital]])),
  );

const peersByRole = ({ peers }: ConsensusStanding): Readonly<Record<string, number>> =>
  Object.fromEntries(
    ['validator', 'full', 'archive'].map((role) => [role, peers.filter((peer) => peer.role === role).length]),
  );

const bytesByChannel = (traffic: NetworkMetrics): LabelledValue[] =>
  (['received', 'sent'] as const).flatMap((direction) =>
    Object.entries(traffic[direction]).map(([channel, { bytes }]) => ({
      labels: { direction, channel },
      value: bytes,
    })),
  );

/** What is computed when it is asked for; what a thread that hangs would say is left out. */
export const standingMetrics: readonly StandingMetric<Standing>[] = [
  gauge(
    'prime_consensus_height',
    'Height of the newest committed block.',
    told(({ head }) => head),
  ),
  labelled({ name: 'prime_peers', type: 'gauge', help: 'Connected peers.' }, 'role', told(peersByRole)),
  gauge(
    'prime_voting_power_connected',
    'Voting power of the validators that are connected or heard of through others, the own one included.',
    told(({ connectedPower }) => Number(connectedPower)),
  ),
  gauge(
    'prime_voting_power',
    'Voting power of all validators of the set.',
    told(({ totalPower }) => Number(totalPower)),
  ),
  gauge(
    'prime_voting_power_missing',
    'Voting power of the validators whose signature is not in the newest certificate that a block carries.',
    told(({ missingPower }) => Number(missingPower)),
  ),
  gauge(
    'prime_sync_lag_blocks',
    'Blocks that a peer has and this node lacks; 0 when it has caught up.',
    told(({ lag }) => lag),
  ),
  gauge(
    'prime_validator_in_set',
    '1 while this node votes for a validator of the set.',
    told(({ active }) => Number(active)),
  ),
  gauge(
    'prime_validator_jailed',
    '1 while the validator of this node is jailed.',
    told(({ jailed }) => Number(jailed)),
  ),
  labelled(
    { name: 'prime_mempool_items', type: 'gauge', help: 'What waits in the mempool.' },
    'kind',
    told(({ mempool: { pending, queued, actions } }) => ({ pending, queued, actions })),
  ),
  labelled(
    { name: 'prime_mempool_bytes', type: 'gauge', help: 'Bytes that wait in the mempool.' },
    'kind',
    told(({ mempool }) => ({ transactions: mempool.transactionBytes, actions: mempool.actionBytes })),
  ),
  gauge(
    'prime_mempool_fill_ratio',
    "Part of the mempool's room that is taken, of the kind that has least left: 0 to 1.",
    told(({ mempool }) => mempool.fill),
  ),
  {
    name: 'prime_p2p_bytes_total',
    type: 'counter',
    help: 'Bytes of frames to and from peers since the start.',
    labelNames: ['direction', 'channel'],
    read: ({ consensus }) => (consensus === null ? [] : bytesByChannel(consensus.traffic)),
  },
  labelled(
    { name: 'prime_p2p_dropped_total', type: 'counter', help: 'Messages of peers or to them that were dropped.' },
    'reason',
    told(({ traffic }) => traffic.dropped),
  ),
  labelled(
    {
      name: 'prime_p2p_refused_total',
      type: 'counter',
      help: 'Connections that did not become a peer, by what they failed with.',
    },
    'code',
    told(({ traffic }) => ({ '': 0, ...traffic.refused })),
  ),
  gauge(
    'prime_p2p_queue_bytes',
    'Bytes that wait for all peers.',
    told(({ traffic }) => traffic.queueBytes),
  ),
  gauge(
    'prime_protocol_version',
    'Version of the rules of the next block.',
    told(({ upgrade }) => upgrade.version),
  ),
  gauge(
    'prime_protocol_known_version',
    'Newest version of the rules that this program knows.',
    told(({ upgrade }) => upgrade.known),
  ),
  gauge(
    'prime_upgrade_height',
    'First height of the next upgrade in the schedule; absent where there is none.',
    told(({ upgrade }) => upgrade.next?.height),
  ),
  gauge(
    'prime_upgrade_known',
    '1 when this program knows the version of the next upgrade, 0 when it would stop there; absent where there is none.',
    told(({ upgrade }) => upgrade.next && Number(upgrade.next.known)),
  ),
  gauge(
    'prime_upgrade_ready_voting_power',
    'Voting power of the validators that said that they go along with the next upgrade; absent where there is none.',
    told(({ upgrade }) => upgrade.next && Number(upgrade.next.readyPower)),
  ),
  gauge(
    'prime_insurance_fund_wei',
    'What is in the insurance fund.',
    funds(({ insurance }) => insurance),
  ),
  gauge(
    'prime_escrow_surplus_wei',
    'What is in escrow at 0x…0100 beyond what the order book owes: never below 0.',
    funds(({ escrowSurplus }) => escrowSurplus),
  ),
  ...marketMetrics,
  gauge(
    'prime_oracle_report_age_seconds',
    'From the newest report of prices by the validator of this node that a block took to the newest block; absent where it is not in the set, and without oracle.',
    ownReports(({ silentMs }) => silentMs / 1_000),
  ),
  gauge(
    'prime_oracle_minutes',
    'Minutes of this day (UTC) in which the validator of this node could report prices.',
    ownReports(({ minutes }) => minutes),
  ),
  gauge(
    'prime_oracle_reported_minutes',
    'Those of prime_oracle_minutes in which a block took a report of it: less than half of them in a day is the event oracle_missing.',
    ownReports(({ reportedMinutes }) => reportedMinutes),
  ),
  {
    name: 'prime_thread_answer_seconds',
    type: 'gauge',
    help: 'How long a thread took to answer the supervisor just now; the longest wait where it did not.',
    labelNames: ['thread'],
    read: ({ answers }) => answers,
  },
  gauge('prime_disk_free_bytes', 'Bytes that are left on the file system of the home.', ({ disk }) => disk?.freeBytes),
  gauge('prime_disk_size_bytes', 'Bytes of the file system of the home.', ({ disk }) => disk?.sizeBytes),
  gauge(
    'prime_home_bytes',
    'Bytes of the files in the home of the node: blocks, state, log, snapshots. Measured when asked for, at most once in 5 s, and less often where it takes long.',
    ({ homeBytes }) => homeBytes,
  ),
  ...processMetrics,
  gauge('process_heap_bytes', 'JavaScript heaps that are in use, of all threads that answered.', ({ vitals }) =>
    vitals.reduce((sum, each) => sum + each.vitals.heapBytes, 0),
  ),
  ofThreads('prime_thread_heap_bytes', 'gauge', 'JavaScript heap of a thread that is in use.', 'heapBytes'),
  ofThreads('prime_thread_heap_limit_bytes', 'gauge', 'Where the JavaScript heap of a thread ends.', 'heapLimitBytes'),
  ofThreads('prime_thread_external_bytes', 'gauge', 'Buffers of a thread outside of its heap.', 'externalBytes'),
  ofThreads(
    'prime_thread_event_loop_busy_seconds_total',
    'counter',
    'Time that the event loop of a thread was busy; its lag just now is prime_thread_answer_seconds.',
    'busySeconds',
  ),
];

/** Space of the file system that holds the home. */
export interface DiskRoom {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Null where the system does not tell. */
export function diskRoom(folder: string): DiskRoom | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Null where the system does not tell. */
export const freeBytes = (folder: string): number | null => diskRoom(folder)?.freeBytes ?? null;
