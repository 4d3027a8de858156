import { Type } from '@sinclair/typebox';
import type { Hex } from '@prime/primitives';
import type { MethodContext } from '../define.ts';
import { RpcError } from '../errors/errors.ts';
import type { FilterWatch } from '../ports/filterPorts.ts';
import { hintKey, type ValueType, valueType } from '../schema/valueTypes.ts';

/** What the methods of filters share. */

/** The error for an id that was never given, or whose filter is gone: `RPC_FILTER_NOT_FOUND`, in go-ethereum's words. */
export const filterNotFound = (): RpcError => new RpcError('filter not found', { code: 'RPC_FILTER_NOT_FOUND' });

/** Whether the privacy fork hides what a filter tells. */
export const isHiddenWatch = (watch: FilterWatch): boolean =>
  watch.kind === 'logs' || (watch.kind === 'pendingTransactions' && watch.full);

/** Any hex word: which ones are filters is not a matter of form. */
export const filterId: ValueType<Hex> = valueType(
  Type.String({ pattern: '^0x[0-9a-fA-F]{0,64}$', [hintKey]: 'must be 0x and at most 64 hex digits' }),
  (value: string) => value.toLowerCase() as Hex,
);

/** @throws RpcError `RPC_FILTER_NOT_FOUND` */
export async function findFilter({ ports }: MethodContext, id: Hex): Promise<FilterWatch> {
  const watch = await ports.filters.find(id);
  if (watch === null) throw filterNotFound();
  return watch;
}
