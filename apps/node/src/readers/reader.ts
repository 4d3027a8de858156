import { readExecuted } from '@prime/chain';
import { type CallMessage, createNodeCommon, createStateReader, type StateReader } from '@prime/evm';
import type { ReaderBackend } from '@prime/gateway';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import type { CallOutcome, CallRequest } from '@prime/rpc';
import { openBlockStore, openStateDatabase } from '@prime/storage';
import { createHistoryReader } from './historyReader.ts';

/** What a reader thread is given. */
export interface ReaderData {
  /** Folders of the two databases, which the node's writers have open too. */
  readonly blocks: string;
  readonly state: string;
  /** Block cache of each database. */
  readonly cacheBytes: number;
  readonly chainId: number;
  /** Wall-clock time of one call or estimate. */
  readonly timeoutMs: number;
  /** Most gas of one call or estimate. */
  readonly callGasMax: bigint;
}

/** Everything that a reader thread answers. */
export async function openReader(data: ReaderData): Promise<ReaderBackend> {
  const { cacheBytes, timeoutMs, callGasMax } = data;
  const [store, database, common] = await Promise.all([
    openBlockStore(data.blocks, { readonly: true, cacheBytes }),
    openStateDatabase(data.state, { cacheBytes }),
    createNodeCommon(data.chainId),
  ]);
  const states = await createStateReader({
    database,
    common,
    blockHashOf: (height) => readExecuted(database, height)?.hash ?? null,
    timeoutMs,
    callGasMax,
  });
  return {
    ...createHistoryReader({ blocks: store, database }),
    account: async (address, stateRoot) => states.account(address, stateRoot),
    code: async (address, stateRoot) => bytesToHex(states.code(address, stateRoot)),
    storage: async (address, slot, stateRoot) => states.storage(address, slot, stateRoot),
    call: async (request, at) => inHex(await states.call(messageOf(request), at)),
    estimateGas: async (request, at) => inHex(await states.estimateGas(messageOf(request), at)),
  };
}

const messageOf = (request: CallRequest): CallMessage => ({ ...request, data: hexToBytes(request.data) });

const inHex = (outcome: Awaited<ReturnType<StateReader['call']>>): CallOutcome =>
  outcome.status === 'failure' ? outcome : { ...outcome, output: bytesToHex(outcome.output) };
