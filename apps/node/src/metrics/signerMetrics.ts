import type { SignStateRecord } from '@prime/engine';
import type { SignerServer } from '@prime/network';
import { type LabelledMetric, type LabelledValue, renderMetrics } from '@prime/telemetry';
import { type MetricReference, referenceOf } from './metrics.ts';
import { processMetrics, type ProcessStanding, readProcess } from './processMetrics.ts';

/** What a remote signer says of itself when Prometheus asks. */
interface SignerStanding {
  readonly process: ProcessStanding;
  readonly server: ReturnType<SignerServer['status']>;
  /** The newest signature; null before the first. */
  readonly newest: Pick<SignStateRecord, 'height'> | null;
}

interface SignerMetric extends Omit<LabelledMetric, 'read'> {
  readonly read: (standing: SignerStanding) => readonly LabelledValue[];
}

const plain = (
  name: string,
  type: LabelledMetric['type'],
  help: string,
  value: (standing: SignerStanding) => number,
): SignerMetric => ({
  name,
  type,
  help,
  labelNames: [],
  read: (standing) => [{ labels: {}, value: value(standing) }],
});

const signerMetrics: readonly SignerMetric[] = [
  plain('prime_signer_nodes', 'gauge', 'Nodes that are connected.', ({ server }) => server.nodes.length),
  plain('prime_signer_height', 'gauge', 'Height of the newest signature.', ({ newest }) => newest?.height ?? 0),
  plain('prime_signer_signed_total', 'counter', 'Requests that were signed.', ({ server }) => server.signed),
  plain('prime_signer_refused_total', 'counter', 'Requests that were refused.', ({ server }) => server.refused),
  plain(
    'prime_signer_turned_away_total',
    'counter',
    'Connections that were not let in.',
    ({ server }) => server.turnedAway,
  ),
  ...processMetrics,
];

/** What `/metrics` of a remote signer answers, for the reference page. */
export const signerMetricReference: readonly MetricReference[] = signerMetrics.map(referenceOf);

/** Prometheus text. */
export function renderSignerMetrics(
  server: Pick<SignerServer, 'status'>,
  newest: SignerStanding['newest'],
): Promise<string> {
  const standing: SignerStanding = { process: readProcess(), server: server.status(), newest };
  return renderMetrics(
    [],
    signerMetrics.map((metric) => ({ ...metric, read: () => metric.read(standing) })),
  );
}
