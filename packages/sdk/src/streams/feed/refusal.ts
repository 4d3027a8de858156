import { isStreamError, StreamError } from '../errors.ts';

const methodNotFound = -32601;
const invalidParams = -32602;
const disabledOnSurface = -32004;
/** Refusals of the order book are from -32029 to -32010; of a subscription it is that there is no such market. */
const orderBookRefusals = { from: -32029, to: -32010 } as const;

/**
 * A subscription that is refused for good; null for any other error. A market that was there may be unknown to a node that is behind.
 *
 * @param wasServed whether the subscription ever worked
 */
export function refusedForever(error: StreamError, kind: string, wasServed: boolean): StreamError | null {
  if (!isStreamError(error, 'STREAM_REQUEST_FAILED') || !error.detail.method.endsWith('_subscribe')) return null;
  const { rpcCode, data } = error.detail;
  const isForever =
    rpcCode === methodNotFound ||
    rpcCode === invalidParams ||
    rpcCode === disabledOnSurface ||
    (!wasServed && rpcCode >= orderBookRefusals.from && rpcCode <= orderBookRefusals.to);
  if (!isForever) return null;
  const detail = { code: 'STREAM_REFUSED', kind, rpcCode, data } as const;
  return new StreamError(`The node refuses the stream ${kind}: ${error.shortMessage}`, detail, error);
}
