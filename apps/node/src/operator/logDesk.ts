import { NodeError } from '../errors.ts';
import { type LogLevels, logLevels, setLogLevel } from '../logging.ts';
import { type ThreadName, threadNames } from '../threads/topology.ts';
import type { LogRequest } from './requests.ts';

/** Whether a request of an operator is about log levels, which every thread answers for itself. */
export const isLogRequest = (request: { readonly kind: string }): request is LogRequest =>
  request.kind === 'logLevels' || request.kind === 'logLevel';

/** Carries out a request about log levels in this thread. @returns module to level, as {@link operateLogs} does */
export const ownLogLevels = (request: LogRequest): LogLevels =>
  request.kind === 'logLevels' ? logLevels() : setLogLevel(request.module, request.level);

/**
 * Carries out a request about log levels in this thread and all others.
 *
 * @returns module to level: of those that were changed, or of all when nothing was to be changed
 * @throws NodeError `OPERATOR_REQUEST_INVALID` when nothing has the name of the module
 */
export async function operateLogs(
  request: LogRequest,
  operateIn: (thread: ThreadName) => Promise<unknown>,
): Promise<LogLevels> {
  const own = ownLogLevels(request);
  const others = (await Promise.all(threadNames.map(operateIn))) as readonly LogLevels[];
  const levels: LogLevels = Object.assign({}, own, ...others);
  if (Object.keys(levels).length === 0)
    throw new NodeError('no module of this node has that name: prime node log-level shows them', {
      code: 'OPERATOR_REQUEST_INVALID',
      field: 'module',
    });
  return levels;
}
