import type { Common } from '@ethereumjs/common';
import { bigintToNumber, bytesToHash, type Hash } from '@prime/primitives';
import type { BlockHashOf } from './environment.ts';
import { EvmError } from '../errors.ts';
import { createEvmBlock } from './evmBlock.ts';
import { createLibraryVm } from '../library/libraryVm.ts';
import type { EvmState, OrderViews, StateDatabase } from '../ports.ts';
import { emptyAccount } from '../state/account.ts';
import { type CacheSizes, createFlatSource, usualCacheSizes } from '../state/flatSource.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { createStateTrie } from '../state/stateTrie.ts';
import { usualWindow, type WindowLimits } from '../state/trieWindow.ts';
import { bytesOf } from '../state/bytes.ts';

/** Where the state is, at which root it stands, and how much of it stays in memory. */
export interface EvmStateOptions {
  readonly database: StateDatabase;
  /** Made by createCommon or createNodeCommon for the chain's id. */
  readonly common: Common;
  /** Root of the committed state, that of genesis or of the last applied block. */
  readonly stateRoot: Hash;
  /** For BLOCKHASH: asked for the 256 heights below the block that runs. */
  readonly blockHashOf: BlockHashOf;
  /** Whether blocks list the trie nodes that they drop, which pruning of old states needs. Default false. */
  readonly listsDropped?: boolean;
  readonly orderViews?: OrderViews;
  readonly cacheSizes?: CacheSizes;
  /** When the trie is written whole. Default {@link usualWindow} */
  readonly window?: WindowLimits;
}

/**
 * The EVM's write side on the newest committed state.
 *
 * One VM lives as long as the state; for each block its state manager is given a fresh overlay. What was committed stays in
 * bounded caches (accounts, slots, code, trie nodes), so that a block reads from the database only what no recent block touched.
 *
 * @throws EvmError `EVM_TRIE_MISMATCH`, `EVM_NODE_MISSING` or `EVM_STATE_CORRUPT` where nodes of recent blocks can not be made again
 */
export async function createEvmState(options: EvmStateOptions): Promise<EvmState> {
  const { database, common, cacheSizes = usualCacheSizes } = options;
  const source = createFlatSource(database, cacheSizes);
  const committedRoot = bytesOf(options.stateRoot);
  const { listsDropped = false, window = usualWindow } = options;
  const nodesMax = cacheSizes.nodes;
  const trie = createStateTrie({ database, source, committedRoot, listsDropped, window, nodesMax });
  const manager = new OverlayStateManager(source);
  const vm = await createLibraryVm(common, manager, options.blockHashOf, options.orderViews);
  let open = false;

  return {
    get stateRoot() {
      return bytesToHash(trie.root);
    },
    account(address) {
      const { nonce, balance } = source.account(address) ?? emptyAccount;
      return { nonce: bigintToNumber(nonce), balance };
    },
    begin(environment) {
      if (open)
        throw new EvmError('a block is open already', {
          code: 'EVM_BLOCK_MISUSE',
          operation: 'begin',
          state: 'open',
        });
      open = true;
      const close = (): void => {
        open = false;
      };
      return createEvmBlock({ vm, common, manager, source, trie, environment, close });
    },
  };
}
