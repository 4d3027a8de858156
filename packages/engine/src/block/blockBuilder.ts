import { debitsByAccount, type ExecutableBlock, headerHash } from '@prime/codec';
import type { Mempool } from '@prime/mempool';
import type { TimestampMs } from '@prime/primitives';
import type { BlockRoom } from './blockRoom.ts';
import { evidenceBytes, type HeaderParts, type HeightContext, makeHeader, mayVouch } from './blockRules.ts';
import type { Clock } from '../ports.ts';

/** Limits and prices that the next block's body has to respect. */
export type BodyLimits = Pick<HeightContext, 'params' | 'gasLimit' | 'openActions' | 'validators'> & {
  readonly head: { readonly nextBaseFee: bigint };
};

/** What of a block is given away before its body is chosen: bytes of evidence, and the room that this validator allows itself. */
export interface BodyTaken {
  readonly evidenceBytes: number;
  /** Most that this validator proposes. */
  readonly room: Pick<BlockRoom, 'bytes' | 'gas'>;
}

/** What a block proposed now would hold: actions first, then transactions in the room that they leave. */
export function selectBody(mempool: Mempool, limits: BodyLimits, taken: BodyTaken) {
  const { params, gasLimit, head } = limits;
  const { maxBlockActions } = params;
  const maxBlockBytes = params.maxBlockBytes - taken.evidenceBytes;
  // Who vouched for an action may have another key by now, or be no validator any more.
  const actions = mempool
    .selectActions({ maxBytes: Math.min(maxBlockBytes, taken.room.bytes), maxCount: maxBlockActions })
    .filter((action) => mayVouch(action, limits));
  const actionBytes = actions.reduce((sum, { raw }) => sum + raw.length, 0);
  const transactions = mempool.selectTransactions({
    baseFee: head.nextBaseFee,
    gasLimit,
    gasExpectedMax: taken.room.gas,
    maxBytes: maxBlockBytes - actionBytes,
    deposits: debitsByAccount(actions),
  });
  return { actions, transactions };
}

/** Makes this validator's proposal for a height out of its mempool; hashes and header are complete. */
export type BuildBlock = (
  context: HeightContext,
  parts: Pick<HeaderParts, 'proposer' | 'lastCommit' | 'evidence'>,
) => ExecutableBlock;

/** Fills a block from the mempool, within the limits that every validator checks. */
export function createBlockBuilder(options: {
  readonly mempool: Mempool;
  readonly clock: Clock;
  readonly room: Pick<BlockRoom, 'bytes' | 'gas'>;
}): BuildBlock {
  const { mempool, clock, room } = options;
  return (context, { proposer, lastCommit, evidence }) => {
    const { actions, transactions } = selectBody(mempool, context, {
      evidenceBytes: evidenceBytes(evidence),
      room,
    });
    const header = makeHeader({
      context,
      proposer,
      timestampMs: Math.max(clock.nowMs(), context.parentTimestampMs + 1) as TimestampMs,
      transactionHashes: transactions.map(({ hash }) => hash),
      actionHashes: actions.map(({ hash }) => hash),
      evidence,
      lastCommit,
    });
    const block = {
      header,
      transactions: transactions.map(({ raw }) => raw),
      actions: actions.map(({ raw }) => raw),
      evidence,
      lastCommit,
    };
    return { hash: headerHash(header), block, transactions, actions };
  };
}
