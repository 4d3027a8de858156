import { type EncodedOutcome, type DepositFunding } from '@prime/clob';
import { isSuccessAt, ordersAddress, stakingAddress, type VerifiedAction } from '@prime/codec';
import { type EvmBlock } from '@prime/evm';
import { type Address, assert, bigintMin } from '@prime/primitives';

/** Wei that an action brought into escrow, with who paid which part. */
interface Debit extends DepositFunding {
  readonly account: Address;
  readonly ownAmount: bigint;
}

/** Wei of contracts' deposits, which come into escrow with a transaction and are credited in the next block. */
export interface ContractDeposits {
  /** By this block's transactions. */
  readonly made: bigint;
  /** By the order book, of those that the block before made. */
  readonly credited: bigint;
}

/**
 * The boundary between the domains during one block: wei go into escrow before either domain runs, and out of it after both did.
 *
 * Nothing here decides who may have what; the order book does. What is checked here is that the escrow account moved by exactly
 * what the order book says it did, and that nothing else took from it: a difference stops the node before the block has a root.
 */
export class Boundary {
  readonly #evm: EvmBlock;
  readonly #faucet: Address | null;
  /** Escrow when the block began, after the debits, and after the EVM ran. */
  readonly #before: bigint;
  #debited = 0n;

  constructor(evm: EvmBlock, faucet: Address | null) {
    this.#evm = evm;
    this.#faucet = faucet;
    this.#before = evm.balance(ordersAddress);
  }

  /**
   * Moves the wei of this block's deposits and transfers into escrow.
   *
   * What a depositor lacks comes from the faucet where genesis names one, otherwise the action stays unfunded and the order book
   * refuses it. No wei is created; in particular escrow can not pay into itself, and what is staked is not the staking account's to give.
   */
  async debit(actions: readonly VerifiedAction[]): Promise<Debit[]> {
    const debits: Debit[] = [];
    for (const [actionIndex, { facts, transaction }] of actions.entries()) {
      const { type, debit: amount } = facts;
      if (type !== 'deposit' && type !== 'enqueueEvmToOrders') continue;
      const { account } = transaction;
      const holdsForOthers = account === ordersAddress || account === stakingAddress;
      const ownAmount = holdsForOthers ? 0n : bigintMin(this.#evm.balance(account), amount);
      const missing = amount - ownAmount;
      const funded = !holdsForOthers && (missing === 0n || (type === 'deposit' && this.#faucetHas(missing, account)));
      if (funded) {
        await this.#move(account, ordersAddress, ownAmount);
        if (this.#faucet !== null) await this.#move(this.#faucet, ordersAddress, missing);
      }
      debits.push({ actionIndex, funded, faucetAmount: funded ? missing : 0n, account, ownAmount });
    }
    this.#debited = this.#evm.balance(ordersAddress);
    return debits;
  }

  /**
   * Gives back what the order book refused to take (a replayed nonce, an expired action), and pays what it credits to EVM accounts.
   *
   * @throws InvariantError when escrow is not what the order book's accounts add up to
   */
  async settle(
    debits: readonly Debit[],
    outcome: Pick<EncodedOutcome, 'results' | 'credits' | 'escrow' | 'escrowChange'>,
    contracts: ContractDeposits,
  ): Promise<void> {
    const ran = this.#evm.balance(ordersAddress);
    const gain = ran - this.#debited;
    assert(gain >= 0n, `the EVM took ${-gain} wei out of escrow`);
    assert(gain >= contracts.made, `contracts deposited ${contracts.made} wei, escrow gained ${gain}`);
    for (const debit of debits) await this.#refund(debit, isSuccessAt(outcome.results, debit.actionIndex));
    for (const { to, amount } of outcome.credits) await this.#move(ordersAddress, to, amount);
    const after = this.#evm.balance(ordersAddress);
    const moved = this.#debited - this.#before + (after - ran);
    const expected = outcome.escrowChange - contracts.credited;
    assert(moved === expected, `escrow moved by ${moved} wei, the order book by ${expected}`);
    const needed = outcome.escrow + contracts.made;
    assert(after >= needed, `escrow holds ${after} wei, the order book needs ${needed}`);
  }

  async #refund(debit: Debit, isTaken: boolean): Promise<void> {
    if (!debit.funded || isTaken) return;
    await this.#move(ordersAddress, debit.account, debit.ownAmount);
    if (this.#faucet !== null) await this.#move(ordersAddress, this.#faucet, debit.faucetAmount);
  }

  #faucetHas(amount: bigint, depositor: Address): boolean {
    return this.#faucet !== null && this.#faucet !== depositor && this.#evm.balance(this.#faucet) >= amount;
  }

  async #move(from: Address, to: Address, amount: bigint): Promise<void> {
    if (amount === 0n) return;
    assert(await this.#evm.transfer(from, to, amount), `${from} could not pay ${amount} that it was seen to have`);
  }
}
