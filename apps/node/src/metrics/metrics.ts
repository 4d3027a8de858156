import { type Link, readLinkCounters } from '@prime/bus';
import type { CommitStage, ExecutionPhase } from '@prime/chain';
import { limitReasons, methodClasses } from '@prime/rpc/counting';
import { logLinesMemory, logMetrics } from '../logging.ts';
import { readFrom, type StandingMetric } from './standing.ts';
import { type Standing, standingMetrics } from './standingMetrics.ts';
import { linkNames } from '../threads/topology.ts';
import {
  allocateMetrics,
  define,
  type LabelledMetric,
  type LabelledValue,
  prometheusType,
  readMetrics,
  renderMetrics,
} from '@prime/telemetry';

/** Everything that the threads of a node count; each metric is written by the thread that it is about. */
export const nodeMetrics = {
  prime_consensus_round: define.gauge('Round of the height in progress.'),
  prime_consensus_block_timestamp_seconds: define.gauge(
    'Timestamp of the newest block, seconds since 1970 by the clock of its proposer; of genesis before the first.',
  ),
  prime_consensus_empty_block_interval_seconds: define.gauge(
    'Longest time between two blocks of a healthy chain, as genesis has it.',
  ),
  prime_consensus_checkpoint_height: define.gauge(
    'Newest height divisible by 100 that was committed since the start; 0 before the first.',
  ),
  prime_consensus_checkpoint_fingerprint: define.gauge(
    'First 48 bits of the hash of that block. Two nodes with the same height and another number here are on different chains.',
  ),
  prime_consensus_block_age_seconds: define.gauge(
    "From the timestamp of the newest block to its commit here, by this node's clock; below 0 when the clock is behind.",
  ),
  prime_clock_offset_seconds: define.gauge(
    'How far the clock of this machine is ahead of those of the proposers, as the median age of their newest blocks says; below 0 when it is behind. Includes the time of a decision.',
  ),
  prime_consensus_rounds_total: define.counter('Rounds entered.'),
  prime_consensus_late_decisions_total: define.counter('Blocks decided after round 0.'),
  prime_consensus_transactions_total: define.counter('EVM transactions in committed blocks.'),
  prime_consensus_actions_total: define.counter('Actions in committed blocks.'),
  prime_signatures_recovered_total: define.counters(
    'Transactions and actions whose signature was recovered: each once by a process.',
    { label: 'kind', values: ['transactions', 'actions'] },
  ),
  prime_signatures_known_total: define.counters(
    'Transactions and actions that came to be checked when their signature was recovered already, or about to be.',
    { label: 'kind', values: ['transactions', 'actions'] },
  ),
  prime_consensus_block_interval_seconds: define.histogram(
    'Time between commits of consecutive blocks.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  prime_consensus_step_seconds: define.histograms(
    'Steps of this validator: from the begin of the round to its prevote, from there to its precommit, from there to the commit of the block, or to the next round.',
    { label: 'step', values: ['propose', 'prevote', 'precommit'] },
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  prime_consensus_round_seconds: define.histogram(
    'Rounds, from their begin to the commit of a block or to the next round.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ),
  prime_consensus_quorum_prevote_delay_seconds: define.histogram(
    "From the timestamp of a committed block to this validator's precommit of it, when it had seen prevotes of more than 2/3; below 0 when its clock is behind the proposer's.",
    [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ),
  prime_consensus_late_votes_total: define.counter('Votes that came when their block was decided and durable already.'),
  prime_validator_missed_blocks_total: define.counter(
    "Blocks that this node saw decided vote by vote and whose certificate lacks its validator's signature.",
  ),
  prime_consensus_evidence_total: define.counter('Pieces of evidence in committed blocks.'),
  prime_execution_seconds: define.histogram(
    'Time to execute a block, EVM and order book side by side, with its state root.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  ),
  prime_execution_phase_seconds: define.histograms(
    'Parts of an execution: moving value between the domains, transactions, the order book with its bus, the state root. Transactions and order book go on side by side.',
    { label: 'phase', values: ['boundary', 'evm', 'orders', 'root'] satisfies readonly ExecutionPhase[] },
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  ),
  prime_commit_seconds: define.histograms(
    'Parts of a commit: making the batch, writing it to the database, keeping the block in memory, telling the gateway.',
    { label: 'stage', values: ['batch', 'write', 'keep', 'tell'] satisfies readonly CommitStage[] },
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  ),
  prime_matching_seconds: define.histogram(
    'Time of the order book for a block, in its own thread, its root included.',
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  ),
  prime_snapshots_taken_total: define.counter('Snapshots that were taken.'),
  prime_snapshots_failed_total: define.counter('Snapshots that could not be taken.'),
  prime_snapshot_height: define.gauge('Height of the newest snapshot of this run; 0 before the first.'),
  prime_prune_backlog_blocks: define.gauge('Heights that are older than [history] keeps and not deleted yet.'),
  prime_disk_sync_seconds: define.histograms(
    'Times that consensus waited for the disk: log, sign state, block store.',
    { label: 'file', values: ['log', 'sign_state', 'blocks'] },
    [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
  ),
  prime_log_bytes_total: define.counter('Bytes written to the log of consensus.'),
  prime_bus_request_seconds: define.histograms(
    'Time from a request between two threads to its answer, what was done for it included.',
    { label: 'link', values: linkNames },
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  ),
  prime_remote_signer_connected: define.gauge('1 while the remote signer is connected; 0 also where there is none.'),
  prime_remote_signer_refusals_total: define.counter('Requests that the remote signer refused.'),
  prime_remote_signer_request_seconds: define.histogram(
    'Time from a request to the remote signer to its answer.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  ),
  prime_rpc_in_flight: define.gauge(
    'JSON-RPC requests that were taken and are not answered yet, items of batches one by one.',
  ),
  prime_rpc_request_seconds: define.histograms(
    'JSON-RPC requests by class of method, from the start of the work to the answer, with a result or an error.',
    { label: 'class', values: methodClasses },
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  ),
  prime_rpc_errors_total: define.counters('JSON-RPC requests that were answered with an error, whoever caused it.', {
    label: 'class',
    values: methodClasses,
  }),
  prime_rpc_internal_errors_total: define.counter(
    'JSON-RPC requests that failed by a fault of the node (-32603); each has a line in the log.',
  ),
  prime_rpc_limited_total: define.counters('Requests and connections that were shed or hit a limit.', {
    label: 'reason',
    values: limitReasons,
  }),
  prime_ws_connections: define.gauge('Open WebSocket connections.'),
  prime_ws_ended_total: define.counter('WebSocket connections that the node ended: slow readers, floods, stops.'),
};

/** Counters of all threads in one shared memory, as the supervisor shows them. */
export interface NodeMetrics {
  readonly memory: SharedArrayBuffer;
  /** Prometheus text. */
  render(): Promise<string>;
}

/** All that is read when Prometheus asks. */
interface NodeStanding extends Standing {
  readonly links: readonly Link[];
  /** Seconds of processor time, by thread. */
  readonly threadCpu: readonly LabelledValue[];
}

const sides = ['a', 'b'] as const;

const ofLinks = (
  name: string,
  type: LabelledMetric['type'],
  help: string,
  field: keyof ReturnType<typeof readLinkCounters>['a'],
): StandingMetric<NodeStanding> => ({
  name,
  type,
  help,
  labelNames: ['link', 'side'],
  read: ({ links }) =>
    links.flatMap((link) => {
      const counters = readLinkCounters(link);
      return sides.map((side) => ({ labels: { link: link.name, side }, value: counters[side][field] }));
    }),
});

const onDemandMetrics: readonly StandingMetric<NodeStanding>[] = [
  ...standingMetrics,
  ofLinks('prime_bus_messages_total', 'counter', 'Messages written to a ring.', 'messages'),
  ofLinks('prime_bus_bytes_total', 'counter', 'Bytes written to a ring.', 'bytes'),
  ofLinks('prime_bus_depth_bytes', 'gauge', 'Bytes in a ring now.', 'depthBytes'),
  ofLinks('prime_bus_depth_max_bytes', 'gauge', 'Most bytes that were in a ring.', 'depthBytesMax'),
  ofLinks('prime_bus_full_total', 'counter', 'Messages refused because the link was full.', 'fullRejections'),
  ofLinks('prime_bus_waits_total', 'counter', 'Times the reader of a ring slept.', 'waits'),
  {
    name: 'prime_thread_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of a thread so far; `other` is the rest of the process. Only `other` where the system does not tell (not Linux).',
    labelNames: ['thread'],
    read: ({ threadCpu }) => threadCpu,
  },
];

/** A metric as the reference page shows it. */
export interface MetricReference {
  readonly name: string;
  readonly type: LabelledMetric['type'] | 'histogram';
  readonly labels: string;
  readonly help: string;
}

/** The same for metrics that are read on demand. */
export const referenceOf = ({
  name,
  type,
  help,
  labelNames,
}: Pick<LabelledMetric, 'name' | 'type' | 'help' | 'labelNames'>): MetricReference => ({
  name,
  type,
  labels: labelNames.join(', '),
  help,
});

/** What `/metrics` answers, for the reference page. */
export const metricReference: readonly MetricReference[] = [
  ...Object.entries({ ...nodeMetrics, ...logMetrics }).map(([name, definition]) => ({
    name,
    type: prometheusType(definition.type),
    labels: 'values' in definition ? `${definition.label}: ${definition.values.join(', ')}` : '',
    help: definition.help,
  })),
  ...onDemandMetrics.map(referenceOf),
];

/** @param threadCpu seconds of processor time of each thread */
export function createNodeMetrics(
  links: readonly Link[],
  threadCpu: () => readonly LabelledValue[],
  askStanding: () => Promise<Standing>,
): NodeMetrics {
  const memory = allocateMetrics(nodeMetrics);
  return {
    memory,
    async render() {
      const standing: NodeStanding = { ...(await askStanding()), links, threadCpu: threadCpu() };
      const counted = [...readMetrics(nodeMetrics, memory), ...readMetrics(logMetrics, logLinesMemory())];
      return renderMetrics(counted, readFrom(onDemandMetrics, standing));
    },
  };
}
