import { type Link, readLinkCounters } from '@prime/bus';
import { limitReasons } from '@prime/rpc';
import { logLinesMemory, logMetrics } from './logging.ts';
import { type Standing, standingGauges } from './standingMetrics.ts';
import {
  allocateMetrics,
  type LabelledGauge,
  type LabelledValue,
  prometheusType,
  readMetrics,
  renderMetrics,
} from '@prime/telemetry';

/** Everything that the threads of a node count; each metric is written by the thread that it is about. */
export const nodeMetrics = {
  prime_consensus_round: { type: 'gauge', help: 'Round of the height in progress.' },
  prime_consensus_block_age_seconds: {
    type: 'gauge',
    help: "From the timestamp of the newest block to its commit here, by this node's clock; below 0 when the clock is behind.",
  },
  prime_clock_offset_seconds: {
    type: 'gauge',
    help: 'How far the clock of this machine is ahead of those of the proposers, as the median age of their newest blocks says; below 0 when it is behind. Includes the time of a decision.',
  },
  prime_consensus_rounds_total: { type: 'counter', help: 'Rounds entered.' },
  prime_consensus_late_decisions_total: { type: 'counter', help: 'Blocks decided after round 0.' },
  prime_consensus_transactions_total: { type: 'counter', help: 'EVM transactions in committed blocks.' },
  prime_consensus_actions_total: { type: 'counter', help: 'Actions in committed blocks.' },
  prime_consensus_block_interval_seconds: {
    type: 'histogram',
    help: 'Time between commits of consecutive blocks.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  prime_consensus_step_seconds: {
    type: 'histograms',
    help: 'Steps of this validator: from the begin of the round to its prevote, from there to its precommit, from there to the commit of the block, or to the next round.',
    label: 'step',
    values: ['propose', 'prevote', 'precommit'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  prime_consensus_round_seconds: {
    type: 'histogram',
    help: 'Rounds, from their begin to the commit of a block or to the next round.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  prime_consensus_quorum_prevote_delay_seconds: {
    type: 'histogram',
    help: "From the timestamp of a committed block to this validator's precommit of it, when it had seen prevotes of more than 2/3; below 0 when its clock is behind the proposer's.",
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  prime_consensus_late_votes_total: {
    type: 'counter',
    help: 'Votes that came when their block was decided and durable already.',
  },
  prime_consensus_evidence_total: { type: 'counter', help: 'Pieces of evidence in committed blocks.' },
  prime_execution_seconds: {
    type: 'histogram',
    help: 'Time to execute a block, EVM and order book side by side, with its state root.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  prime_disk_sync_seconds: {
    type: 'histograms',
    help: 'Times that consensus waited for the disk: log, sign state, block store.',
    label: 'file',
    values: ['log', 'sign_state', 'blocks'],
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
  },
  prime_log_bytes_total: { type: 'counter', help: 'Bytes written to the log of consensus.' },
  prime_signer_connected: {
    type: 'gauge',
    help: '1 while the remote signer is connected; 0 also where there is none.',
  },
  prime_signer_refusals_total: { type: 'counter', help: 'Requests that the remote signer refused.' },
  prime_signer_seconds: {
    type: 'histogram',
    help: 'Time from a request to the remote signer to its answer.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  },
  prime_rpc_answered_total: { type: 'counter', help: 'JSON-RPC calls answered with a result.' },
  prime_rpc_refused_total: { type: 'counter', help: 'JSON-RPC calls answered with an error.' },
  prime_rpc_limited_total: {
    type: 'counters',
    help: 'Requests and connections that were shed or hit a limit.',
    label: 'reason',
    values: limitReasons,
  },
  prime_ws_connections: { type: 'gauge', help: 'Open WebSocket connections.' },
  prime_ws_ended_total: {
    type: 'counter',
    help: 'WebSocket connections that the node ended: slow readers, floods, stops.',
  },
} as const;

export interface NodeMetrics {
  readonly memory: SharedArrayBuffer;
  /** Prometheus text. */
  render(): Promise<string>;
}

type Counters = ReturnType<typeof readLinkCounters>;
type DirectionName = keyof Counters['a'];

const linkMetrics: readonly { readonly name: string; readonly help: string; readonly field: DirectionName }[] = [
  { name: 'prime_bus_messages_total', help: 'Messages written to a ring.', field: 'messages' },
  { name: 'prime_bus_bytes_total', help: 'Bytes written to a ring.', field: 'bytes' },
  { name: 'prime_bus_depth_bytes', help: 'Bytes in a ring now.', field: 'depthBytes' },
  { name: 'prime_bus_depth_max_bytes', help: 'Most bytes that were in a ring.', field: 'depthBytesMax' },
  { name: 'prime_bus_full_total', help: 'Messages refused because the link was full.', field: 'fullRejections' },
  { name: 'prime_bus_waits_total', help: 'Times the reader of a ring slept.', field: 'waits' },
];

const threadCpuMetric = {
  name: 'prime_thread_cpu_seconds',
  help: 'Processor time of a thread so far; `other` is the rest of the process. Only `other` where the system does not tell (not Linux).',
};

/** What `/metrics` answers, for the reference page. */
export const metricReference: readonly {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: string;
  readonly help: string;
}[] = [
  ...Object.entries({ ...nodeMetrics, ...logMetrics }).map(([name, definition]) => ({
    name,
    type: prometheusType(definition.type),
    labels: 'values' in definition ? `${definition.label}: ${definition.values.join(', ')}` : '',
    help: definition.help,
  })),
  ...standingGauges.map(({ name, help, labelNames }) => ({
    name,
    type: 'gauge' as const,
    labels: labelNames.join(', '),
    help,
  })),
  ...linkMetrics.map(({ name, help }) => ({ name, type: 'gauge' as const, labels: 'link, side', help })),
  { ...threadCpuMetric, type: 'gauge', labels: 'thread' },
];

/** @param threadCpu seconds of processor time of each thread */
export function createNodeMetrics(
  links: readonly Link[],
  threadCpu: () => readonly LabelledValue[],
  askStanding: () => Promise<Standing>,
): NodeMetrics {
  const memory = allocateMetrics(nodeMetrics);
  const gauges: LabelledGauge[] = linkMetrics.map(({ name, help, field }) => ({
    name,
    help,
    labelNames: ['link', 'side'],
    read: () => links.flatMap((link) => readSides(link, field)),
  }));
  gauges.push({ ...threadCpuMetric, labelNames: ['thread'], read: threadCpu });
  return {
    memory,
    async render() {
      const standing = await askStanding();
      const told = standingGauges.map((each) => ({ ...each, read: () => each.read(standing) }));
      const counted = [...readMetrics(nodeMetrics, memory), ...readMetrics(logMetrics, logLinesMemory())];
      return renderMetrics(counted, [...told, ...gauges]);
    },
  };
}

function readSides(link: Link, field: DirectionName): LabelledValue[] {
  const counters = readLinkCounters(link);
  return (['a', 'b'] as const).map((side) => ({ labels: { link: link.name, side }, value: counters[side][field] }));
}
