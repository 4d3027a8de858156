import type { Block } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import type { EVM } from '@ethereumjs/evm';
import type { Log, Receipt, TransactionPayload, VerifiedTransaction } from '@prime/codec';
import { type Address, bytesToAddress } from '@prime/primitives';
import { logsBloom } from '../block/bloom.ts';
import { libraryAddress } from '../block/environment.ts';
import type { MessageGas } from './gas.ts';
import { move, type Outcome } from '../interpreter/calls.ts';
import { type Machinery, runMessage } from '../interpreter/machine.ts';
import { logOf, MessageState } from '../interpreter/messageState.ts';
import { Party } from '../interpreter/party.ts';
import { precompileAddresses, World } from '../interpreter/world.ts';
import { applyAuthorizations } from '../read/authorizations.ts';
import { effectiveGasPrice, executedReceipt, type ReceiptPlace } from '../block/receipts.ts';
import type { StateOverlay } from '../state/overlay.ts';

/** What a transaction is executed in. */
export interface ExecutionContext {
  readonly common: Common;
  /** The library's; made when it is first asked for. */
  readonly block: Block;
  readonly overlay: StateOverlay;
  readonly proposer: Address;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
}

/** How what a transaction runs has ended. */
interface Ended {
  readonly failed: boolean;
  readonly gasLeft: number;
  readonly refund: number;
  readonly output: Uint8Array;
  readonly logs: readonly Log[];
  readonly destroyed: ReadonlyMap<string, unknown>;
  readonly created: ReadonlySet<string>;
  /** Address of the contract that the transaction itself makes. */
  readonly contract: Address | null;
}

/** At most a fifth of the gas is refunded (EIP-3529). */
const refundQuotient = 5;
const noLogs: readonly Log[] = [];

/** Executes transactions that may be executed, one after the other, on the state of one block. */
export class TransactionExecutor {
  private readonly machinery: Machinery;
  private readonly context: ExecutionContext;
  private readonly warmsProposer: boolean;
  private readonly hasFloor: boolean;
  /** Only what a transaction itself created can be destroyed by it (EIP-6780). */
  private readonly destroysOnlyCreated: boolean;

  constructor(machinery: Machinery, context: ExecutionContext) {
    const { common } = context;
    this.machinery = machinery;
    this.context = context;
    this.warmsProposer = common.isActivatedEIP(3651);
    this.hasFloor = common.isActivatedEIP(7623);
    this.destroysOnlyCreated = common.isActivatedEIP(6780);
  }

  /**
   * Yellow paper, section 6, with the rules of the forks since. A transfer to an account without code takes the same steps: there is no
   * frame to run in it.
   *
   * @param gas what the transaction costs whatever its code does; its limit is enough for it, and the sender can pay
   * @returns a promise only for what can not be had within this turn
   */
  execute(
    transaction: VerifiedTransaction,
    payload: TransactionPayload,
    gas: MessageGas,
    place: ReceiptPlace,
  ): Receipt | Promise<Receipt> {
    const { overlay, baseFee } = this.context;
    const { sender, gasLimit, to } = transaction;
    const price = effectiveGasPrice(transaction, baseFee);
    this.warmUp(transaction, payload);
    const account = overlay.account(sender)!;
    const { storageRoot, codeHash } = account;
    const balance = account.balance - gasLimit * price;
    overlay.setAccount(sender, { nonce: account.nonce + 1n, balance, storageRoot, codeHash });
    const { journal } = this.machinery;
    const authorized =
      payload.authorizations.length === 0
        ? 0n
        : applyAuthorizations({ journal, overlay, common: this.context.common }, payload.authorizations);
    const left = Number(gasLimit - gas.intrinsic);
    const ended =
      to === null ? this.create(transaction, payload, price, left) : this.call(transaction, to, payload, price, left);
    const settle = (end: Ended): Receipt =>
      this.settle(transaction, { ...place, price }, end, { floor: gas.floor, refund: Number(authorized) });
    return 'then' in ended ? ended.then(settle) : settle(ended);
  }

  /** EIP-2929, 2930, 3651 */
  private warmUp({ sender, to }: VerifiedTransaction, { accessList }: TransactionPayload): void {
    const { journal, evm } = this.machinery;
    journal.begin(precompileAddresses(evm.precompiles));
    for (const { address, storageKeys } of accessList) {
      journal.warmAddress(address);
      for (const key of storageKeys) journal.warmSlot(address, key);
    }
    journal.warmAddress(sender);
    if (to !== null) journal.warmAddress(to);
    if (this.warmsProposer) journal.warmAddress(this.context.proposer);
  }

  private call(
    { sender, value }: VerifiedTransaction,
    to: Address,
    { data }: TransactionPayload,
    price: bigint,
    gas: number,
  ): Ended | Promise<Ended> {
    const caller = Party.ofKey(sender);
    const world = new World(this.machinery, this.context, caller, price);
    const nested = { depth: 0, isStatic: false, refund: 0, outOffset: 0, outLength: 0 };
    const state = new MessageState(world, { ...nested, destroyed: new Map(), created: new Set() });
    const message = { caller, to: Party.ofKey(to), codeAddress: to, data, value, transfers: true, gas, state };
    const outcome = runMessage(message, this.machinery.instructions);
    return 'then' in outcome ? outcome.then(endedOf) : endedOf(outcome);
  }

  /** Creations are the library's. */
  private async create(
    { sender, value }: VerifiedTransaction,
    { data }: TransactionPayload,
    gasPrice: bigint,
    gas: number,
  ): Promise<Ended> {
    const { execResult, createdAddress } = await (this.machinery.evm as unknown as EVM).runCall({
      block: this.context.block,
      gasPrice,
      caller: libraryAddress(sender),
      gasLimit: BigInt(gas),
      value,
      data,
      skipNonceIncrement: true,
    });
    const { exceptionError, executionGasUsed, gasRefund, returnValue, logs, selfdestruct, createdAddresses } =
      execResult;
    return {
      failed: exceptionError !== undefined,
      gasLeft: gas - Number(executionGasUsed),
      refund: Number(gasRefund ?? 0n),
      output: returnValue,
      logs: (logs ?? []).map(logOf),
      destroyed: selfdestruct ?? new Map(),
      created: createdAddresses ?? new Set(),
      contract: createdAddress === undefined ? null : bytesToAddress(createdAddress.bytes),
    };
  }

  /** Unused gas comes back, the proposer gets its part, destroyed and empty accounts go. */
  private settle(
    transaction: VerifiedTransaction,
    place: ReceiptPlace & { readonly price: bigint },
    ended: Ended,
    { floor, refund }: { readonly floor: bigint; readonly refund: number },
  ): Receipt {
    const { overlay, baseFee, proposer } = this.context;
    const { journal, evm } = this.machinery;
    const { gasLimit, sender } = transaction;
    const { price } = place;
    const spent = Number(gasLimit) - ended.gasLeft;
    const refunded = Math.min((ended.failed ? 0 : ended.refund) + refund, Math.floor(spent / refundQuotient));
    const used = BigInt(spent - refunded);
    const gasUsed = this.hasFloor && used < floor ? floor : used;
    move(overlay, sender, (gasLimit - gasUsed) * price);
    journal.touch(proposer);
    if (price > baseFee) move(overlay, proposer, gasUsed * (price - baseFee));
    if (!ended.failed)
      for (const address of ended.destroyed.keys())
        if (!this.destroysOnlyCreated || ended.created.has(address)) overlay.deleteAccount(address as Address);
    journal.sweep();
    overlay.clearOriginals();
    evm.transientStorage.clear();
    const logs = ended.failed ? noLogs : ended.logs;
    const result = { failed: ended.failed, gasUsed, logs, logsBloom: logsBloom(logs), output: ended.output };
    return executedReceipt(transaction, { ...result, contract: ended.contract }, place);
  }
}

const endedOf = ({ failure, gasLeft, output, state }: Outcome): Ended => ({
  failed: failure !== undefined,
  gasLeft,
  refund: state.refund,
  output,
  logs: state.logs ?? noLogs,
  destroyed: state.destroyed,
  created: state.created,
  contract: null,
});
