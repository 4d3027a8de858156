import type { Block } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import type { VM } from '@ethereumjs/vm';
import type { AccountChange, Receipt, VerifiedTransaction } from '@prime/codec';
import { type Address, assert, bigintToNumber, bytesToHash, type Hash, type Height } from '@prime/primitives';
import { libraryBlock } from './environment.ts';
import { EvmError } from '../errors.ts';
import { BlockExecution } from './execute.ts';
import type { BalanceMove, BlockEnvironment, EvmBlock, EvmOutcome } from '../ports.ts';
import { moveBalance, startBlock } from './blockStart.ts';
import { receiptsRoot } from './receipts.ts';
import { emptyAccount } from '../state/account.ts';
import { bytesOf, trimWord } from '../state/bytes.ts';
import type { FlatSource } from '../state/flatSource.ts';
import { StateOverlay } from '../state/overlay.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import type { SealedState, StateTrie } from '../state/stateTrie.ts';
import type { ExecutionContext } from '../transaction/transact.ts';

/** The EVM and the committed state that a block runs over; both are shared by all blocks, one at a time. */
export interface EvmBlockOptions {
  readonly vm: VM;
  readonly common: Common;
  readonly manager: OverlayStateManager;
  readonly source: FlatSource;
  readonly trie: StateTrie;
  readonly environment: BlockEnvironment;
  /** The next block may begin. */
  readonly close: () => void;
}

/** `failed`: a run threw, so that the block is good for nothing but to be discarded. */
type BlockState = 'open' | 'running' | 'failed' | 'finished' | 'closed';

/** One block over the committed state: everything it does stays in its overlay until it is committed. */
export function createEvmBlock(options: EvmBlockOptions): EvmBlock {
  return new OverlayBlock(options);
}

class BlockContext implements ExecutionContext {
  readonly common: Common;
  readonly overlay: StateOverlay;
  readonly proposer: Address;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  private readonly environment: BlockEnvironment;
  private made: Block | null = null;

  constructor({ common, environment }: EvmBlockOptions, overlay: StateOverlay) {
    this.proposer = environment.proposer;
    this.common = common;
    this.overlay = overlay;
    this.baseFee = environment.baseFee;
    this.gasLimit = environment.gasLimit;
    this.environment = environment;
  }

  /** Made for the first transaction: most blocks of an idle chain have none. */
  get block(): Block {
    this.made ??= libraryBlock(this.environment, this.common);
    return this.made;
  }
}

class OverlayBlock implements EvmBlock {
  private readonly options: EvmBlockOptions;
  private readonly overlay: StateOverlay;
  private readonly execution: BlockExecution;
  private readonly receipts: Receipt[] = [];
  private gasUsed = 0n;
  /** Payments before the transactions: whoever runs them again has to make these first. */
  private readonly movesBefore: BalanceMove[] = [];
  private hasRun = false;
  private sealed: SealedState | null = null;
  private state: BlockState = 'open';

  constructor(options: EvmBlockOptions) {
    const { environment } = options;
    this.options = options;
    this.overlay = new StateOverlay(options.source, (environment.height - 1) as Height);
    options.manager.overlay = this.overlay;
    startBlock(this.overlay, environment);
    this.execution = new BlockExecution(options.vm, new BlockContext(options, this.overlay));
  }

  balance(address: Address): bigint {
    return (this.overlay.account(address) ?? emptyAccount).balance;
  }

  async transfer(from: Address, to: Address, amount: bigint): Promise<boolean> {
    this.expect('transfer', 'open');
    const moved = moveBalance(this.overlay, from, to, amount);
    if (moved && !this.hasRun) this.movesBefore.push({ from, to, amount });
    return moved;
  }

  async setStorage(address: Address, slot: Hash, value: Hash): Promise<void> {
    this.expect('setStorage', 'open');
    assert(this.overlay.account(address) !== null, `storage of ${address}, which does not exist`);
    this.overlay.setSlot(address, slot, trimWord(bytesOf(value)));
    this.overlay.clearOriginals();
  }

  async run(transactions: readonly VerifiedTransaction[]): Promise<readonly Receipt[]> {
    this.expect('run', 'open');
    const first = this.receipts.length;
    this.state = 'running';
    this.hasRun = true;
    const { baseFee } = this.options.environment;
    try {
      for (const transaction of transactions) {
        const place = { transactionIndex: this.receipts.length, gasBefore: this.gasUsed, baseFee };
        const executed = this.execution.execute(transaction, place);
        // Most are executed by now: a turn for each would cost as much as a transfer.
        const receipt = 'then' in executed ? await executed : executed;
        this.receipts.push(receipt);
        this.gasUsed += receipt.gasUsed;
      }
      this.state = 'open';
      return this.receipts.slice(first);
    } catch (error) {
      this.state = 'failed';
      throw error;
    }
  }

  async finish(): Promise<EvmOutcome> {
    this.expect('finish', 'open');
    // Should sealing throw, the block stays failed and can only be discarded.
    this.state = 'failed';
    const { trie, environment } = this.options;
    this.sealed = trie.seal(this.overlay, await trie.clearedSlots(this.overlay), environment.height);
    this.state = 'finished';
    const outcome = outcomeOf(this.sealed, this.receipts, this.gasUsed, this.options.source);
    return { movesBefore: this.movesBefore, ...outcome };
  }

  commit(): void {
    this.expect('commit', 'finished');
    assert(this.sealed !== null, 'a finished block is sealed');
    this.options.trie.adopt(this.sealed);
    this.options.source.committed(this.sealed.changes);
    this.close();
  }

  discard(): void {
    if (this.state === 'closed') return;
    this.expect('discard', 'open', 'failed', 'finished');
    this.close();
  }

  private close(): void {
    this.state = 'closed';
    // The manager lives on: a block's overlay that nothing reads any more must not stay in memory with it.
    this.options.manager.overlay = new StateOverlay(this.options.source);
    this.options.close();
  }

  private expect(operation: string, ...allowed: readonly BlockState[]): void {
    const { state } = this;
    if (!allowed.includes(state))
      throw new EvmError(`${operation} on a block that is ${state}`, { code: 'EVM_BLOCK_MISUSE', operation, state });
  }
}

function outcomeOf(
  sealed: SealedState,
  receipts: readonly Receipt[],
  gasUsed: bigint,
  source: FlatSource,
): Omit<EvmOutcome, 'movesBefore'> {
  const accounts: AccountChange[] = [];
  for (const [address, record] of sealed.changes.accounts) {
    const before = source.account(address) ?? emptyAccount;
    const after = record ?? emptyAccount;
    if (before.nonce === after.nonce && before.balance === after.balance) continue;
    accounts.push({ address, nonce: bigintToNumber(after.nonce), balance: after.balance });
  }
  return {
    stateRoot: bytesToHash(sealed.stateRoot),
    receiptsRoot: receiptsRoot(receipts),
    gasUsed,
    receipts: [...receipts],
    accounts,
    writes: sealed.writes,
  };
}
