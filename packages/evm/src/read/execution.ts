import type { Block } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import type { EVM, ExecResult } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import type { CallMessage } from '@prime/codec';
import { type Address, bigintMax, bigintMin, bytesToAddress, zeroAddress } from '@prime/primitives';
import { libraryAddress } from '../block/environment.ts';
import { initCodeBytesMax, type MessageGas, messageGas } from '../transaction/gas.ts';
import type { LibraryEvm } from '../interpreter/library.ts';
import { callDirectly, isWatched } from '../interpreter/message.ts';
import { precompileAddresses } from '../interpreter/world.ts';
import { journalOf } from '../library/libraryVm.ts';
import { emptyAccount, isDelegation } from '../state/account.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import { applyAuthorizations } from './authorizations.ts';
import type { Fees } from './message.ts';
import { usualPrecompiles } from './overrides.ts';

/** Where a message runs. What it changes stays in the overlay. */
export interface ReadExecution {
  readonly vm: VM;
  readonly common: Common;
  readonly manager: OverlayStateManager;
  readonly overlay: StateOverlay;
  readonly block: Block;
}

/** What a message did with a gas limit. */
export type Execution =
  | {
      readonly kind: 'ran';
      readonly result: ExecResult;
      /** What is paid, after the refund. */
      readonly gasUsed: bigint;
      readonly refund: bigint;
    }
  /** Not even begun, go-ethereum's words; `moreGas` when a higher limit could help. */
  | { readonly kind: 'refused'; readonly message: string; readonly moreGas: boolean };

/** Nonces have 64 bits; the one after this is 0, where no rule forbids a transaction with it (EIP-2681). */
export const nonceMax = (1n << 64n) - 1n;

/** At most a fifth of the gas is refunded (EIP-3529). */
const refundQuotient = 5n;

/** Runs a message like a transaction: same warm addresses, same intrinsic gas, same refunds. */
export async function executeMessage(
  execution: ReadExecution,
  message: CallMessage,
  fees: Fees,
  gasLimit: bigint,
): Promise<Execution> {
  const begun = begin(execution, message, fees, gasLimit);
  if ('kind' in begun) return begun;
  const run = begun.hasNonce ? runCode(execution, message, fees.price, gasLimit - begun.gas.intrinsic) : outOfNonces;
  const result = await run;
  return spentBy(begun.gas, result, begun.authorizationRefund);
}

interface Begun {
  readonly gas: MessageGas;
  readonly authorizationRefund: bigint;
  /** A creation from the last nonce fails before its code runs: there is no nonce for what follows it. */
  readonly hasNonce: boolean;
}

/** What happens before the code of a message runs. */
function begin(execution: ReadExecution, message: CallMessage, fees: Fees, gasLimit: bigint): Execution | Begun {
  const { vm, manager, overlay, block } = execution;
  manager.overlay = overlay;
  const from = message.from ?? zeroAddress;
  const gas = gasOf(message);
  const refusal = refuse(overlay, message, { fees, gasLimit, gas });
  if (refusal !== null) return refusal;
  warmUp(vm, message, from, block);
  const sender = overlay.account(from) ?? emptyAccount;
  const hasNonce = message.to !== null || sender.nonce < nonceMax;
  overlay.setAccount(from, {
    ...sender,
    nonce: hasNonce ? (sender.nonce + 1n) & nonceMax : sender.nonce,
    balance: sender.balance - gasLimit * fees.price,
  });
  const authorizationRefund = applyAuthorizations(
    { journal: journalOf(vm), overlay, common: execution.common },
    message.authorizationList,
  );
  // A call that a deadline ended leaves its transient storage behind.
  (vm.evm as EVM).transientStorage.clear();
  return { gas, authorizationRefund, hasNonce };
}

/** What a message whose code ran has to pay. */
export function spentBy({ intrinsic, floor }: MessageGas, result: ExecResult, authorizationRefund = 0n): Execution {
  const spent = result.executionGasUsed + intrinsic;
  const refund = bigintMin((result.gasRefund ?? 0n) + authorizationRefund, spent / refundQuotient);
  return { kind: 'ran', result, gasUsed: bigintMax(spent - refund, floor), refund };
}

/** A message without value to a contract needs nothing of what surrounds the run of its code. */
async function runCode(
  execution: ReadExecution,
  message: CallMessage,
  gasPrice: bigint,
  gasLimit: bigint,
): Promise<ExecResult> {
  const { vm, block } = execution;
  const { from, to, value, data } = message;
  const caller = libraryAddress(from ?? zeroAddress);
  const shared = { block, gasPrice, caller, data, gasLimit };
  if (to === null) return (await vm.evm.runCall({ ...shared, value, skipNonceIncrement: true })).execResult;
  const target = libraryAddress(to);
  const code = contractCode(execution, message);
  if (code !== null && !isWatched(vm.evm as unknown as LibraryEvm))
    return callDirectly(vm, { ...shared, to: target, code });
  return (await vm.evm.runCall({ ...shared, to: target, value, skipNonceIncrement: true })).execResult;
}

/** go-ethereum's words. */
const outOfNonces = {
  returnValue: new Uint8Array(0),
  executionGasUsed: 0n,
  exceptionError: { error: 'nonce uint64 overflow', errorType: 'EVMError' },
} as unknown as ExecResult;

/** Code that a message runs and nothing else around it; null where there is more to do. */
function contractCode({ vm, overlay }: ReadExecution, { to, value }: CallMessage): Uint8Array | null {
  if (to === null || value !== 0n || vm.evm.precompiles.has(to.slice(2))) return null;
  const code = overlay.code(to);
  return code.length === 0 || isDelegation(code) ? null : code;
}

/** What follows the run of a transaction: unused gas comes back, the proposer gets its part, destroyed and empty accounts go. */
export async function settle(
  { vm, overlay, block }: ReadExecution,
  message: CallMessage,
  fees: Fees,
  outcome: { readonly gasLimit: bigint; readonly execution: Extract<Execution, { kind: 'ran' }> },
): Promise<void> {
  const { gasLimit, execution } = outcome;
  const { gasUsed, result } = execution;
  const credit = (address: Address, amount: bigint): void => {
    const account = overlay.account(address) ?? emptyAccount;
    overlay.setAccount(address, { ...account, balance: account.balance + amount });
  };
  credit(message.from ?? zeroAddress, (gasLimit - gasUsed) * fees.price);
  const tip = fees.price - fees.baseFee;
  if (tip > 0n) credit(bytesToAddress(block.header.coinbase.bytes), gasUsed * tip);
  for (const address of result.selfdestruct?.keys() ?? [])
    if (result.createdAddresses?.has(address) === true) overlay.deleteAccount(address as Address);
  await vm.evm.journal.cleanup();
  overlay.clearOriginals();
}

/** Why a message is not even begun; null when it is. */
export function refuse(
  accounts: Pick<StateOverlay, 'account'>,
  message: CallMessage,
  { fees, gasLimit, gas }: { readonly fees: Fees; readonly gasLimit: bigint; readonly gas: MessageGas },
): Extract<Execution, { kind: 'refused' }> | null {
  const refused = (text: string, moreGas = false) => ({ kind: 'refused', message: text, moreGas }) as const;
  const want = gasLimit * fees.cap + message.value;
  const { balance } = (want === 0n ? null : accounts.account(message.from ?? zeroAddress)) ?? emptyAccount;
  if (balance < want) {
    const address = message.from ?? zeroAddress;
    return refused(`insufficient funds for gas * price + value: address ${address} have ${balance} want ${want}`);
  }
  if (message.authorizationList.length > 0 && message.to === null)
    return refused(`EIP-7702 transaction cannot be used to create contract (sender ${message.from ?? zeroAddress})`);
  const { intrinsic, floor } = gas;
  if (gasLimit < intrinsic) return refused(`intrinsic gas too low: have ${gasLimit}, want ${intrinsic}`, true);
  if (gasLimit < floor)
    return refused(`insufficient gas for floor data gas cost: have ${gasLimit}, want ${floor}`, true);
  if (message.to === null && message.data.length > initCodeBytesMax)
    return refused(`max initcode size exceeded: code size ${message.data.length} limit ${initCodeBytesMax}`);
  return null;
}

/** Gas that a message costs before it runs, and at least, as a transaction of the same fields would. */
export const gasOf = ({ data, to, accessList, authorizationList }: CallMessage): MessageGas =>
  messageGas({
    data,
    isCreation: to === null,
    accessListAddresses: accessList?.length ?? 0,
    accessListSlots: accessList?.reduce((count, { storageKeys }) => count + storageKeys.length, 0) ?? 0,
    authorizations: authorizationList.length,
  });

/** EIP-2929, 2930, 3651: what a transaction finds warm. */
function warmUp(vm: VM, message: CallMessage, from: Address, block: Block): void {
  const journal = journalOf(vm);
  // Moved precompiles are warm where they usually are, and not where they were moved to.
  journal.begin(precompileAddresses(usualPrecompiles(vm.evm.precompiles)));
  journal.warmAddress(from);
  if (message.to !== null) journal.warmAddress(message.to);
  journal.warmAddress(bytesToAddress(block.header.coinbase.bytes));
  for (const { address, storageKeys } of message.accessList ?? []) {
    journal.warmAddress(address);
    for (const key of storageKeys) journal.warmSlot(address, key);
  }
}
