import type { Address } from '@prime/primitives';
import type { BlockEnvironment } from '../ports.ts';
import { historyAddress, historySize } from './predeploys.ts';
import { emptyAccount, hasCode, isEmptyAccount } from '../state/account.ts';
import { bytesOf, trimWord, wordKey, wordOf } from '../state/bytes.ts';
import type { StateOverlay } from '../state/overlay.ts';

/** EIP-2935: the parent's hash goes into the ring of the history contract, where that contract is deployed. */
export function startBlock(overlay: StateOverlay, environment: BlockEnvironment): void {
  const history = overlay.account(historyAddress);
  if (history === null || !hasCode(history) || environment.height === 0) return;
  const slot = wordKey(wordOf(BigInt(environment.height - 1) % historySize));
  overlay.setSlot(historyAddress, slot, trimWord(bytesOf(environment.parentHash)));
  overlay.clearOriginals();
}

/** Moves value outside of a transaction. @returns false and nothing done when `from` has too little */
export function moveBalance(overlay: StateOverlay, from: Address, to: Address, amount: bigint): boolean {
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
  if (account !== null && isEmptyAccount(account)) overlay.deleteAccount(address);
}
