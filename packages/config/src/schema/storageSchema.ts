import { Type } from '@sinclair/typebox';
import { choice, mebibyte, wholeNumber } from './schemaTypes.ts';

/** The sections about what stands on the disk. */

/** How the databases are kept. */
export const storage = Type.Object({
  state_sync_blocks: wholeNumber(
    { default: 64, from: 1, to: 10_000, unit: 'blocks' },
    'Force the state database to disk every so many blocks; a crash re-executes at most these.',
  ),
  cache_bytes: wholeNumber(
    { default: 32 * mebibyte, from: mebibyte, to: 64 * 1024 * mebibyte, unit: 'bytes' },
    'Block cache of each database.',
  ),
});

/** How much of the past is kept. */
export const history = Type.Object({
  states: choice(['archive', 'recent'], {
    default: 'archive',
    description:
      'archive answers eth_call, eth_getBalance and eth_getProof at every block since it is so; recent at the newest recent_states blocks.',
  }),
  recent_states: wholeNumber(
    { default: 10_000, from: 128, to: 1_000_000_000, unit: 'blocks' },
    'Blocks whose state is kept when states is recent.',
  ),
  blocks: choice(['archive', 'recent'], {
    default: 'archive',
    description:
      'recent deletes blocks, receipts, logs and events but the newest recent_blocks. Peers that are further behind need another node to catch up from.',
  }),
  recent_blocks: wholeNumber(
    { default: 100_000, from: 256, to: 1_000_000_000, unit: 'blocks' },
    'Blocks that are kept when blocks is recent; never fewer than storage.state_sync_blocks and 256, which a start may have to execute again.',
  ),
});

/** Snapshots of the state, from which other nodes start. */
export const snapshots = Type.Object({
  interval_blocks: wholeNumber(
    { default: 0, from: 0, to: 1_000_000_000, unit: 'blocks' },
    'Take a snapshot of the state every so many blocks and offer it to peers; 0 is never.',
  ),
  keep: wholeNumber({ default: 2, from: 1, to: 100, unit: 'snapshots' }, 'Newest snapshots that are kept.'),
});

/** How a node without state and blocks gets them. */
export const sync = Type.Object({
  trusted_height: wholeNumber(
    { default: 0, from: 0, to: Number.MAX_SAFE_INTEGER, unit: 'block' },
    'Height of a block that you know to be of this chain, from an explorer or your own node: a home without state and blocks then begins with a snapshot of its peers. 0: it executes all blocks from genesis.',
  ),
  trusted_hash: Type.String({
    default: '',
    pattern: '^(0x[0-9a-fA-F]{64})?$',
    description: 'Hash of that block.',
  }),
});
