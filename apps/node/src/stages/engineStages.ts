import type { EngineStages } from '@prime/engine';
import type { Stamper } from './stamper.ts';

/** What the engine tells, as stamps. */
export const createEngineStages = (stamper: Stamper): EngineStages => ({
  pooled: (item) => stamper.item('pooled', item),
  proposed: ({ hash, block, transactions, actions }) => {
    const { height } = block.header;
    stamper.block('proposed', height, hash);
    stamper.items('taken', height, hash, actions);
    stamper.items('taken', height, hash, transactions);
  },
  received: ({ hash, block }) => stamper.block('received', block.header.height, hash),
  polka: (height, block) => stamper.block('polka', height, block),
  decided: (height, block) => stamper.block('decided', height, block),
  durable: ({ hash, block }) => stamper.block('durable', block.header.height, hash),
});
