import { invalidParams } from '../errors/errors.ts';

/** Earliest time in milliseconds, of March 1973: what is below it, and not 0, can only be seconds. */
const earliestMs = 100_000_000_000;

/**
 * A time in milliseconds since 1970.
 *
 * @param path of the field in the parameters, for errors
 * @throws RpcError `RPC_INVALID_PARAMS` for one that can only be in seconds
 */
export function parseTimeMs(wire: string | number, path: string): number {
  const timeMs = Number(wire);
  if (timeMs > 0 && timeMs < earliestMs) throw invalidParams(path, 'is in milliseconds, and this is a time in seconds');
  return timeMs;
}
