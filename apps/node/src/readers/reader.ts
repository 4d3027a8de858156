import { createOrderViews, readBookParameters, readExecuted } from '@prime/chain';
import { createNodeCommon, createStateReader, createTraceReader, type SimulationLimits } from '@prime/evm';
import type { AccountProof, RankedValidator } from '@prime/codec';
import type { ReaderBackend } from '@prime/gateway';
import { bytesToHex, type Hash, type Height, type Hex } from '@prime/primitives';
import { openBlockStore, openStateDatabase } from '@prime/storage';
import { callMessageOf as messageOf, callOutcomeOf } from './callMessage.ts';
import { createHistoryReader } from './historyReader.ts';
import { stateGuard } from './kept.ts';
import { createTraceBackend } from './traceBackend.ts';

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
  /** Niceness of the thread. */
  readonly nice: number;
  /** Most gas of one call or estimate. */
  readonly callGasMax: bigint;
  /** Wall-clock time of one trace. */
  readonly traceTimeoutMs: number;
  /** Most characters of JSON of one trace. */
  readonly traceCharactersMax: number;
  readonly simulation: SimulationLimits;
  /** Blocks with trades that a market needs before it counts for liquidations. */
  readonly minTrades: number;
  /** The validator set of genesis. */
  readonly firstValidators: readonly RankedValidator[];
}

/** Everything that a reader thread answers. */
export async function openReader(data: ReaderData): Promise<ReaderBackend> {
  const { cacheBytes, timeoutMs, callGasMax, traceCharactersMax: charactersMax, simulation } = data;
  const [store, database, common] = await Promise.all([
    openBlockStore(data.blocks, { readonly: true, cacheBytes }),
    openStateDatabase(data.state, { cacheBytes }),
    createNodeCommon(data.chainId),
  ]);
  const blockHashOf = (height: Height): Hash | null => readExecuted(database, height)?.hash ?? null;
  const orderViews = createOrderViews({ database, minTrades: data.minTrades });
  const states = await createStateReader({ database, common, blockHashOf, orderViews, timeoutMs, callGasMax });
  const kept = stateGuard(database);
  const traced = { database, common, blockHashOf, orderViews, callGasMax, charactersMax, simulation };
  const openTraces = () => createTraceReader(traced);
  const traces = createTraceBackend({
    blocks: store,
    database,
    chainId: data.chainId,
    callTimeoutMs: timeoutMs,
    kept,
    openReader: openTraces,
  });
  return {
    ...createHistoryReader({ blocks: store, database, firstValidators: data.firstValidators }),
    ...traces,
    account: (address, at) => kept(at, () => states.account(address, at.stateRoot)),
    code: (address, at) => kept(at, () => bytesToHex(states.code(address, at.stateRoot))),
    storage: (address, slot, at) => kept(at, () => states.storage(address, slot, at.stateRoot)),
    proof: (address, slots, at) => kept(at, () => proofInHex(states.proof(address, slots, at.stateRoot))),
    bookParameters: (at) => kept(at, () => readBookParameters(database, at.height)),
    call: (request, at) => kept(at, async () => callOutcomeOf(await states.call(messageOf(request), at))),
    estimateGas: (request, at) => kept(at, async () => callOutcomeOf(await states.estimateGas(messageOf(request), at))),
  };
}

const proofInHex = ({ slots, ...account }: AccountProof): AccountProof<Hex> => ({
  ...account,
  proof: account.proof.map(bytesToHex),
  slots: slots.map(({ proof, ...slot }) => ({ ...slot, proof: proof.map(bytesToHex) })),
});
