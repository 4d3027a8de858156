import { useNode } from '../app/context.ts';
import { isUp } from '../live/participation.ts';
import { presenceOf } from '../live/presence.ts';

/** Tells whether a validator signs, by the newest blocks and the node's connections; null before the first block. */
export function useUp(): (address: string) => boolean | null {
  const node = useNode();
  const absence = presenceOf(node).absence.value;
  const blocks = node.chain.blocks.value;
  return (address) => (blocks.length === 0 ? null : isUp(address, blocks, absence));
}
