import type { SignStateRecord } from '@prime/engine';
import type { SignerServer } from '@prime/network';
import { renderMetrics } from '@prime/telemetry';
import { type MetricReference, referenceOf } from './metrics.ts';
import { processMetrics, type ProcessStanding, readProcess } from './processMetrics.ts';
import { counter, gauge, readFrom, type StandingMetric } from './standing.ts';

/** What a remote signer says of itself when Prometheus asks. */
interface SignerStanding {
  readonly process: ProcessStanding;
  readonly server: ReturnType<SignerServer['status']>;
  /** The newest signature; null before the first. */
  readonly newest: Pick<SignStateRecord, 'height'> | null;
}

const signerMetrics: readonly StandingMetric<SignerStanding>[] = [
  gauge('prime_signer_nodes', 'Nodes that are connected.', ({ server }) => server.nodes.length),
  gauge('prime_signer_height', 'Height of the newest signature.', ({ newest }) => newest?.height ?? 0),
  counter('prime_signer_signed_total', 'Requests that were signed.', ({ server }) => server.signed),
  counter('prime_signer_refused_total', 'Requests that were refused.', ({ server }) => server.refused),
  counter('prime_signer_turned_away_total', 'Connections that were not let in.', ({ server }) => server.turnedAway),
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
  return renderMetrics([], readFrom(signerMetrics, standing));
}
