import { readExecuted, readMovesBefore } from '@prime/chain';
import type { Block } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import type { BlockStore } from '@prime/engine';
import type { ReplayedBlock, StateDatabase, TraceReader } from '@prime/evm';
import { createTransactionVerifier } from '@prime/evm/verify';
import type { TraceBackend } from '@prime/gateway';
import { assert, type Height } from '@prime/primitives';
import { callMessageOf } from './callMessage.ts';
import { refusePruned, type stateGuard } from './kept.ts';

/** The blocks and states that traces run on, and limits of their time. */
export interface TraceSources {
  readonly blocks: Pick<BlockStore, 'get'>;
  readonly database: Pick<StateDatabase, 'getSync'>;
  readonly chainId: number;
  /** Wall-clock time of what is no trace, as of any call. */
  readonly callTimeoutMs: number;
  /** Refuses work on states that are not kept. */
  readonly kept: ReturnType<typeof stateGuard>;
  /** Called at the first trace: most readers never need one. */
  readonly openReader: () => Promise<TraceReader>;
}

/** Puts together what it takes to run committed blocks again. */
export function createTraceBackend(sources: TraceSources): TraceBackend {
  let opening: Promise<TraceReader> | null = null;
  const reader = (): Promise<TraceReader> => (opening ??= sources.openReader());
  const { kept, callTimeoutMs } = sources;
  const onBlock = async <T>(height: Height, work: (reader: TraceReader, block: ReplayedBlock) => Promise<T>) => {
    const [traces, block] = await Promise.all([reader(), replayedBlock(sources, height)]);
    const parent = { height: (height - 1) as Height, stateRoot: block.parentStateRoot };
    return kept(parent, () => work(traces, block));
  };
  return {
    traceTransaction: (height, index, options) =>
      onBlock(height, (traces, block) => traces.transaction(block, index, options)),
    traceBlock: (height, options) => onBlock(height, (traces, block) => traces.block(block, options)),
    traceCall: (request, at, { txIndex, ...options }) => {
      const message = callMessageOf(request);
      if (txIndex === null) return kept(at, async () => (await reader()).call(message, at, options));
      return onBlock(at.height, (traces, block) => traces.call(message, at, options, { block, index: txIndex }));
    },
    accessList: (request, at) =>
      kept(at, async () => (await reader()).accessList(callMessageOf(request), at, callTimeoutMs)),
    simulate: ({ blocks, ...request }) => {
      const messages = blocks.map((block) => ({ ...block, calls: block.calls.map(callMessageOf) }));
      const { header, roots } = request.base;
      const base = { height: header.height, stateRoot: roots.stateRoot };
      return kept(base, async () => (await reader()).simulate({ ...request, blocks: messages }, callTimeoutMs));
    },
  };
}

async function replayedBlock({ blocks, database, chainId }: TraceSources, height: Height): Promise<ReplayedBlock> {
  // The block, and the results of its parent.
  for (const needed of [height, height - 1]) refusePruned(database, needed as Height);
  const stored = blocks.get(height);
  const parent = readExecuted(database, (height - 1) as Height);
  assert(stored !== null && parent !== null, `block ${height} or the results of its parent are not stored`);
  const { header, transactions } = stored.block;
  return {
    environment: {
      height,
      timestampMs: header.timestampMs,
      proposer: header.proposer,
      gasLimit: header.gasLimit,
      baseFee: header.baseFee,
      parentHash: header.parentHash,
      prevRandao: header.parentHash,
    },
    parentStateRoot: parent.roots.stateRoot,
    movesBefore: readMovesBefore(database, height),
    transactions: await verified(transactions, chainId, header.gasLimit),
  };
}

/** Committed transactions were verified once; this recovers their senders. */
async function verified(
  raws: Block['transactions'],
  chainId: number,
  blockGasLimit: bigint,
): Promise<ReplayedBlock['transactions']> {
  const verify = createTransactionVerifier({ chainId, blockGasLimit, provider: await cryptoProvider() });
  return raws.map((raw) => {
    const transaction = verify(raw);
    assert(!('failure' in transaction), 'a committed transaction does not verify');
    return transaction;
  });
}
