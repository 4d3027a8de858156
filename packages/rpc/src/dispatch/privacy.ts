import { eventNamesAccount } from '@prime/codec';
import type { MethodDefinition } from '../define.ts';
import { RpcError } from '../errors/errors.ts';
import type { EventEntry, NodeInfo, RpcPorts } from '../ports/ports.ts';
import type { RequestContext } from './requestContext.ts';

/**
 * The privacy fork: from the block that genesis names on, metadata of transactions, receipts and logs is not for everyone. The
 * operator's surface goes on serving all of it. What a method does about it stands in its definition.
 */

/** Whether the head has reached the fork and the request came over the public surface. */
export async function isPrivate(ports: RpcPorts, info: NodeInfo, request: RequestContext): Promise<boolean> {
  const { privacyForkBlock } = info;
  if (privacyForkBlock === null || request.surface === 'operator') return false;
  return (await ports.chain.head()).block.header.height >= privacyForkBlock;
}

/** @throws RpcError `RPC_DISABLED_ON_SURFACE` when the fork hides the call */
export function checkPrivacy(definition: MethodDefinition, args: readonly unknown[]): void {
  const { name, privacy } = definition;
  const hidden = typeof privacy === 'function' ? privacy(...args) : privacy === 'operatorAfterFork';
  if (hidden) throw disabledOnSurface(name);
}

/** The error for what only the operator's surface answers after the privacy fork: `RPC_DISABLED_ON_SURFACE`. */
export const disabledOnSurface = (method: string): RpcError =>
  new RpcError(`${method} is disabled on the public surface after the privacy fork`, {
    code: 'RPC_DISABLED_ON_SURFACE',
    method,
  });

/** The events that the caller may see. @param isPrivate leaves out those that name an account of a user */
export const visibleEvents = (isPrivate: boolean, events: readonly EventEntry[]): readonly EventEntry[] =>
  isPrivate ? events.filter(({ kind }) => !eventNamesAccount(kind)) : events;
