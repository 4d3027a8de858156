import type { PipelineWatch } from '@prime/chain';
import { decodeGlobalRecord, globalRecordKey, ordersAddress, prefixedKey, statePrefix } from '@prime/codec';
import { createAccountReader } from '@prime/evm/accounts';
import { openMetrics } from '@prime/telemetry';
import { nodeMetrics } from './metrics.ts';
import type { ExecutionStanding } from './standingMetrics.ts';
import type { ThreadData } from '../threads/threadData.ts';

/** Counts how long blocks and their parts take. */
export function pipelineWatch(data: Pick<ThreadData, 'metrics'>): PipelineWatch {
  const metrics = openMetrics(nodeMetrics, data.metrics);
  return {
    executed: (ms) => metrics.observe('prime_execution_seconds', ms / 1000),
    phase: (phase, ms) => metrics.observeOf('prime_execution_phase_seconds', phase, ms / 1000),
    commit: (stage, ms) => metrics.observeOf('prime_commit_seconds', stage, ms / 1000),
    pruned: (backlog) => metrics.set('prime_prune_backlog_blocks', backlog),
  };
}

/** What the committed state says of the order book's money. */
export function fundsOf(database: Parameters<typeof createAccountReader>[0]): ExecutionStanding['funds'] {
  const record = database.getSync(prefixedKey(statePrefix.clobRecord, globalRecordKey()));
  if (record === undefined) return null;
  const { insurance, totalDeposits, totalWithdrawals } = decodeGlobalRecord(record);
  const { balance } = createAccountReader(database).account(ordersAddress);
  return { insurance, escrowSurplus: balance - (totalDeposits - totalWithdrawals) };
}
