import type { TraceOptions } from '@prime/codec';
import type { MethodContext } from '../define.ts';
import { RpcError } from '../errors/errors.ts';
import type { BlockRecord } from '../ports/ports.ts';
import type { TraceConfig } from './traceOptions.ts';

/** What the methods that trace share. */

/** Of what the caller allows and what the node allows, the shorter time. */
export const traceOptionsOf = ({ info }: MethodContext, config: TraceConfig): TraceOptions => ({
  tracer: config.tracer,
  timeoutMs: Math.min(config.timeoutMs ?? info.limits.traceMs, info.limits.traceMs),
});

/** @throws RpcError `RPC_BLOCK_NOT_FOUND`, `RPC_NOT_TRACEABLE` */
export function traceable(record: BlockRecord | null, what: string): BlockRecord {
  if (record === null) throw new RpcError(`block ${what} not found`, { code: 'RPC_BLOCK_NOT_FOUND' });
  if (record.block.header.height === 0) throw new RpcError('genesis is not traceable', { code: 'RPC_NOT_TRACEABLE' });
  return record;
}
