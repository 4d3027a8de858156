import type { Common } from '@ethereumjs/common';
import type { VM } from '@ethereumjs/vm';
import type { AccountChange, Receipt } from '@prime/codec';
import { type Address, bigintToNumber, bytesToHash } from '@prime/primitives';
import { libraryBlock } from './environment.ts';
import { EvmError } from './errors.ts';
import { type ExecutionContext, executeTransaction } from './execute.ts';
import type { BlockEnvironment, EvmBlock, EvmOutcome } from './ports.ts';
import { historyAddress, historySize } from './predeploys.ts';
import { receiptsRoot } from './receipts.ts';
import { emptyAccount, hasCode } from './state/account.ts';
import { bytesOf, trimWord, wordKey, wordOf } from './state/bytes.ts';
import type { FlatSource } from './state/flatSource.ts';
import { StateOverlay } from './state/overlay.ts';
import type { OverlayStateManager } from './state/stateManager.ts';
import type { SealedState, StateTrie } from './state/stateTrie.ts';

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
  const { environment, manager, source } = options;
  const overlay = new StateOverlay(source);
  manager.overlay = overlay;
  startBlock(overlay, environment);
  const context: ExecutionContext = {
    vm: options.vm,
    common: options.common,
    block: libraryBlock(environment, options.common),
    overlay,
    baseFee: environment.baseFee,
    gasLimit: environment.gasLimit,
  };
  const receipts: Receipt[] = [];
  let gasUsed = 0n;
  let sealed: SealedState | null = null;
  let state: BlockState = 'open';

  const expect = (operation: string, ...allowed: readonly BlockState[]): void => {
    if (!allowed.includes(state))
      throw new EvmError(`${operation} on a block that is ${state}`, { code: 'EVM_BLOCK_MISUSE', operation, state });
  };
  const close = (): void => {
    state = 'closed';
    // The library keeps using the manager's overlay: one that nothing reads any more must not stay in memory.
    manager.overlay = new StateOverlay(source);
    options.close();
  };

  return {
    balance: (address) => (overlay.account(address) ?? emptyAccount).balance,
    transfer: async (from, to, amount) => {
      expect('transfer', 'open');
      return transferValue(overlay, from, to, amount);
    },
    setStorage: async (address, slot, value) => {
      expect('setStorage', 'open');
      overlay.setSlot(address, slot, trimWord(bytesOf(value)));
      overlay.clearOriginals();
    },
    run: async (transactions) => {
      expect('run', 'open');
      state = 'running';
      try {
        for (const transaction of transactions) {
          const place = { transactionIndex: receipts.length, gasBefore: gasUsed, baseFee: environment.baseFee };
          const receipt = await executeTransaction(context, transaction, place);
          receipts.push(receipt);
          gasUsed += receipt.gasUsed;
        }
        state = 'open';
      } finally {
        if (state === 'running') state = 'failed';
      }
    },
    finish: async () => {
      expect('finish', 'open');
      state = 'finished';
      sealed = options.trie.seal(overlay, await options.trie.clearedSlots(overlay));
      return outcomeOf(sealed, receipts, gasUsed, source);
    },
    commit() {
      expect('commit', 'finished');
      options.trie.adopt(sealed!);
      source.committed(sealed!.changes);
      close();
    },
    discard() {
      if (state === 'closed') return;
      expect('discard', 'open', 'failed', 'finished');
      close();
    },
  };
}

/** EIP-2935: the parent's hash goes into the ring of the history contract, where that contract is deployed. */
function startBlock(overlay: StateOverlay, environment: BlockEnvironment): void {
  const history = overlay.account(historyAddress);
  if (history === null || !hasCode(history) || environment.height === 0) return;
  const slot = wordKey(wordOf(BigInt(environment.height - 1) % historySize));
  overlay.setSlot(historyAddress, slot, trimWord(bytesOf(environment.parentHash)));
  overlay.clearOriginals();
}

function transferValue(overlay: StateOverlay, from: Address, to: Address, amount: bigint): boolean {
  const payer = overlay.account(from) ?? emptyAccount;
  if (amount < 0n || payer.balance < amount) return false;
  if (amount === 0n || from === to) return true;
  overlay.setAccount(from, { ...payer, balance: payer.balance - amount });
  const payee = overlay.account(to) ?? emptyAccount;
  overlay.setAccount(to, { ...payee, balance: payee.balance + amount });
  sweep(overlay, from);
  return true;
}

/** EIP-161: an account that a payment leaves empty does not stay in the state. */
function sweep(overlay: StateOverlay, address: Address): void {
  const account = overlay.account(address);
  if (account !== null && account.nonce === 0n && account.balance === 0n && !hasCode(account))
    overlay.deleteAccount(address);
}

function outcomeOf(sealed: SealedState, receipts: readonly Receipt[], gasUsed: bigint, source: FlatSource): EvmOutcome {
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
