import { dashboard, quantile, rate, units } from './build.mjs';

export const rpc = dashboard({
  uid: 'prime-rpc',
  title: 'JSON-RPC',
  words: 'What callers ask for, how long it takes, and what they are refused.',
  rows: {
    Requests: [
      {
        title: 'Requests',
        words: 'By class of method.',
        unit: units.perSecond,
        targets: { '{{class}}': `sum by (class) (${rate('prime_rpc_request_seconds_count')})` },
      },
      {
        title: 'Answered with an error',
        words: 'Whoever caused it; most are mistakes of callers.',
        unit: units.perSecond,
        targets: { '{{class}}': `sum by (class) (${rate('prime_rpc_errors_total')})` },
      },
      {
        title: 'Failed by a fault of the node',
        words: 'Each has a line at level error in the log.',
        targets: { '{{instance}}': 'prime_rpc_internal_errors_total{@}' },
      },
      {
        title: 'Requests in flight',
        words: 'Taken and not answered yet; what followers in a cluster are scaled by.',
        targets: { '{{instance}}': 'prime_rpc_in_flight{@}' },
      },
      {
        title: 'Time of half of the requests',
        words: 'By class of method.',
        unit: units.seconds,
        targets: { '{{class}} {{instance}}': quantile(0.5, 'prime_rpc_request_seconds', 'class') },
      },
      {
        title: 'Time of 99 of 100 requests',
        words: 'By class of method.',
        unit: units.seconds,
        targets: { '{{class}} {{instance}}': quantile(0.99, 'prime_rpc_request_seconds', 'class') },
      },
      {
        title: 'Shed, or over a limit',
        words:
          '`rate`, `quota` and `size` are limits of a client; `busy`, `overload` and `queue` mean that the node has no time.',
        unit: units.perSecond,
        targets: { '{{reason}} {{instance}}': rate('prime_rpc_limited_total') },
      },
    ],
    Connections: [
      {
        title: 'WebSocket connections',
        words: 'Open ones.',
        targets: { '{{instance}}': 'prime_ws_connections{@}' },
      },
      {
        title: 'Ended by the node',
        words: 'Slow readers, floods, stops.',
        unit: units.perSecond,
        targets: { '{{instance}}': rate('prime_ws_ended_total') },
      },
    ],
  },
});
