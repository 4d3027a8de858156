import type { AccountState, StateRef } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { StateReader } from '@prime/rpc';
import type { InlineCalls, ReaderBackend } from './backends.ts';
import type { HotAccounts } from '../readModel/hotAccounts.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';

/** State: accounts at the head from memory when they are hot; cheap reads at the head in this thread; everything else from the readers. */
export function createStateService(
  reader: ReaderBackend,
  blocks: Pick<RecentBlocks, 'headHeight'>,
  hotAccounts: HotAccounts,
  inlineCalls: InlineCalls | null = null,
): StateReader {
  /** Accounts that readers are asked for: many clients of a new node, or of a new block, begin with the same ones. */
  const reading = new Map<string, Promise<AccountState>>();
  const isHead = (at: StateRef): boolean => at.height === blocks.headHeight;
  const inlineAccount = (address: Address, at: StateRef): AccountState | null => {
    const state = inlineCalls?.account(address, at) ?? null;
    if (state !== null) hotAccounts.put(address, state);
    return state;
  };
  const askReader = async (address: Address, at: StateRef): Promise<AccountState> => {
    const state = await reader.account(address, stateOf(at));
    // Only what is still true: the head may have moved while the reader worked.
    if (isHead(at)) hotAccounts.put(address, state);
    return state;
  };
  const readAccount = (address: Address, at: StateRef): Promise<AccountState> => {
    const key = `${address}@${at.height}`;
    const underWay = reading.get(key) ?? askReader(address, at).finally(() => reading.delete(key));
    reading.set(key, underWay);
    return underWay;
  };
  return {
    account: (address, at) =>
      (isHead(at) ? (hotAccounts.get(address) ?? inlineAccount(address, at)) : null) ?? readAccount(address, at),
    code: (address, at) => reader.code(address, stateOf(at)),
    storage: (address, slot, at) => reader.storage(address, slot, stateOf(at)),
    proof: (address, slots, at) => reader.proof(address, slots, stateOf(at)),
    bookParameters: (at) => reader.bookParameters(stateOf(at)),
    call: (request, at) => (isHead(at) ? inlineCalls?.call(request, at) : null) ?? reader.call(request, at),
    estimateGas: (request, at) => reader.estimateGas(request, at),
  };
}

/** Not the whole context: it is cloned to another thread. */
const stateOf = ({ height, stateRoot }: StateRef): StateRef => ({ height, stateRoot });
