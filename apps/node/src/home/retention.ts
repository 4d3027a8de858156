import type { Retention } from '@prime/chain';
import type { NodeConfig } from '@prime/config';

/** Blocks beside those that a start may execute again: what BLOCKHASH sees, and what a peer may just be asking for. */
const blocksMargin = 256;

/** What the configuration says about the past. */
export function retentionOf({ history, storage }: Pick<NodeConfig, 'history' | 'storage'>): Retention {
  const blocks = Math.max(history.recentBlocks, storage.stateSyncBlocks + blocksMargin);
  return {
    states: history.states === 'archive' ? null : history.recentStates,
    blocks: history.blocks === 'archive' ? null : blocks,
  };
}
