import type { GatewayOptions } from '@prime/gateway';
import { openMetrics } from '@prime/telemetry';
import { requestLog, threadLogger } from '../logging.ts';
import { nodeMetrics } from '../metrics/metrics.ts';
import type { ThreadData } from '../threads/threadData.ts';

/** What of the callers' requests is counted and logged. */
export function gatewayHooks(data: ThreadData): GatewayOptions['hooks'] {
  const log = threadLogger(data, 'gateway');
  const metrics = openMetrics(nodeMetrics, data.metrics);
  return {
    nowMs: () => performance.now(),
    onAnswered: (answered, ok, ms) => {
      metrics.observeOf('prime_rpc_request_seconds', answered, ms / 1000);
      if (!ok) metrics.count('prime_rpc_errors_total', answered);
    },
    onInFlight: (requests) => metrics.set('prime_rpc_in_flight', requests),
    onLimited: (reason) => metrics.count('prime_rpc_limited_total', reason),
    onConnections: (count) => metrics.set('prime_ws_connections', count),
    onConnectionEnded: () => metrics.add('prime_ws_ended_total'),
    onInternalError: (method, error) => {
      metrics.add('prime_rpc_internal_errors_total');
      log.error({ method, error: String((error as Error)?.stack ?? error) }, 'a method failed');
    },
    requestLog: requestLog(threadLogger(data, 'requests')),
  };
}
