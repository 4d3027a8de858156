import { type CommitCertificate, type ExecutableBlock, evmDebit, headerHash } from '@prime/codec';
import type { Mempool } from '@prime/mempool';
import { type Address, assert, type TimestampMs } from '@prime/primitives';
import { type HeightContext, makeHeader } from './blockRules.ts';
import type { Clock } from './ports.ts';

/** Limits and prices that the next block's body has to respect. */
export type BodyLimits = Pick<HeightContext, 'params' | 'gasLimit'> & {
  readonly head: { readonly nextBaseFee: bigint };
};

/** What a block proposed now would hold: actions first, then transactions in the room that they leave. */
export function selectBody(mempool: Mempool, { params, gasLimit, head }: BodyLimits) {
  const { maxBlockBytes, maxBlockActions } = params;
  const actions = mempool.selectActions({ maxBytes: maxBlockBytes, maxCount: maxBlockActions });
  let actionBytes = 0;
  const deposits = new Map<Address, bigint>();
  for (const { raw, transaction } of actions) {
    actionBytes += raw.length;
    const { account, payload } = transaction;
    const debit = evmDebit(payload);
    if (debit > 0n) deposits.set(account, (deposits.get(account) ?? 0n) + debit);
  }
  const transactions = mempool.selectTransactions({
    baseFee: head.nextBaseFee,
    gasLimit,
    maxBytes: maxBlockBytes - actionBytes,
    deposits,
  });
  return { actions, transactions };
}

/** Fills a block from the mempool, within the limits that every validator checks. */
export function createBlockBuilder(options: {
  readonly mempool: Mempool;
  readonly clock: Clock;
  readonly proposer: Address | null;
}): (context: HeightContext, lastCommit: CommitCertificate | null) => ExecutableBlock {
  const { mempool, clock, proposer } = options;
  return (context, lastCommit) => {
    assert(proposer !== null, 'a node without a key was asked to propose');
    const { actions, transactions } = selectBody(mempool, context);
    const header = makeHeader({
      context,
      proposer,
      timestampMs: Math.max(clock.nowMs(), context.parentTimestampMs + 1) as TimestampMs,
      transactionHashes: transactions.map(({ hash }) => hash),
      actionHashes: actions.map(({ hash }) => hash),
      lastCommit,
    });
    const block = {
      header,
      transactions: transactions.map(({ raw }) => raw),
      actions: actions.map(({ raw }) => raw),
      evidence: [],
      lastCommit,
    };
    return { hash: headerHash(header), block, transactions, actions };
  };
}
