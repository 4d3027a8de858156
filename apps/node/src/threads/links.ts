import { type Endpoint, type Handlers, openEndpoint, type Protocol } from '@prime/bus';
import { assert } from '@prime/primitives';
import { openMetrics } from '@prime/telemetry';
import { nodeMetrics } from '../metrics/metrics.ts';
import type { RequestsOf } from './protocols.ts';
import type { ThreadData } from './threadData.ts';
import type { LinkName } from './topology.ts';

/**
 * Opens this thread's end of a link. A link that the other side closes in order is no failure; one whose thread is gone is, and
 * so is a stream handler that throws.
 *
 * @param onClosed the link is over, for whatever reason
 */
export function openLink<Outgoing extends Protocol, Incoming extends Protocol>(
  data: ThreadData,
  name: LinkName,
  handlers: Handlers<Incoming>,
  fatal: (error: unknown) => void,
  onClosed: () => void = () => undefined,
): Endpoint<Outgoing> {
  const descriptor = data.links[name];
  assert(descriptor !== undefined, `this thread has no end of link ${name}`);
  const metrics = openMetrics(nodeMetrics, data.metrics);
  return openEndpoint<Outgoing, Incoming>(descriptor, {
    handlers,
    onAnswered: (waitMs) => metrics.observeOf('prime_bus_request_seconds', name, waitMs / 1000),
    onError: fatal,
    onClose: (reason) => {
      if (reason === 'peerLost') fatal(new Error(`link ${name}: the other thread is gone`));
      onClosed();
    },
  });
}

/** A port whose methods ask the other side of a link: what a method is given, if anything, is the request. */
export function portOver<Port extends object>(
  link: Pick<Endpoint<{ readonly requests: RequestsOf<Port>; readonly streams: object }>, 'request'>,
): Port {
  const ask = link.request as (name: string, payload: unknown) => Promise<unknown>;
  return new Proxy({} as Port, {
    get:
      (_, name) =>
      (payload: unknown = null) =>
        ask.call(link, name as string, payload),
  });
}

/**
 * For requests between threads that take as long as the work takes: only the end of the other thread ends the wait, and a ring that is
 * full makes them wait for room. Who asks has to bound how many it has open.
 */
export const untilAnswered = { deadlineMs: Number.POSITIVE_INFINITY, whenFull: 'wait' } as const;
