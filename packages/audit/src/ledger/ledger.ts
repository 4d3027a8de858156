import { type ActionResult, isValidatorAction, type VerifiedAction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { DecidedBlock, ExecutedTransaction } from '../decidedBlock.ts';

/** What an account held before the first block that the ledger is told. */
export interface LedgerStart {
  readonly address: Address;
  /** Wei. */
  readonly balance: bigint;
  readonly nonce: number;
}

/** An account of the EVM as the ledger adds it up: balance in wei, nonce of the next transaction. */
export interface LedgerAccount {
  readonly balance: bigint;
  readonly nonce: number;
  /** Why the ledger can not know it any more; null while it does. */
  readonly unknown: string | null;
}

interface Entry {
  balance: bigint;
  nonce: number;
  unknown: string | null;
}

/**
 * Balances and nonces of given accounts of the EVM, added up from committed blocks: value, gas times price, status, what goes into the order book and comes out
 * of it, tips of a proposer.
 *
 * Out of its reach: what contracts pay (their transfers leave no trace in receipts), stake, and who authorizes code (EIP-7702). The accounts must be ones that
 * no contract pays. One that acts as a validator's owner, or sends an EIP-7702 transaction, is unknown from then on, and the finding says so.
 */
export class EvmLedger {
  /** Committed blocks that contradict themselves or what came before. */
  readonly faults: string[] = [];
  readonly #entries: Map<Address, Entry>;
  readonly #faucet: Address | null;
  #transactions = 0;

  /** @param faucet of genesis: pays what a depositor lacks */
  constructor(accounts: readonly LedgerStart[], faucet: Address | null = null) {
    this.#faucet = faucet;
    this.#entries = new Map(
      accounts.map(({ address, balance, nonce }) => [address, { balance, nonce, unknown: null }]),
    );
  }

  get accounts(): ReadonlyMap<Address, LedgerAccount> {
    return this.#entries;
  }

  /** Transactions that moved something here. */
  get transactions(): number {
    return this.#transactions;
  }

  /** In the order of execution: deposits first, then transactions, then what the order book pays out. */
  add(block: DecidedBlock): void {
    this.#deposits(block);
    for (const transaction of block.transactions) this.#transaction(block, transaction);
    for (const { kind, data } of block.events) {
      const { direction, from, to, amount } = data;
      // Money leaves the order book where it was sent to, or goes back to where it could not leave from.
      if (kind === 'transfer_completed' && direction === 'orders_to_evm') this.#move(to as Address, amount as bigint);
      if (kind === 'transfer_failed' && direction === 'evm_to_orders') this.#move(from as Address, amount as bigint);
    }
    for (const [address, { balance, unknown }] of this.#entries)
      if (balance < 0n && unknown === null) {
        this.faults.push(`block ${block.height}: ${address} paid more than it had, by ${-balance} wei`);
        this.#lose(address, `it paid more than it had in block ${block.height}`);
      }
  }

  #deposits({ height, actions, results, events }: DecidedBlock): void {
    const fromFaucet = new Map(
      events.flatMap(({ kind, actionIndex, data }) =>
        kind === 'faucet_used' && actionIndex !== null ? [[actionIndex, data['amount'] as bigint] as const] : [],
      ),
    );
    /** Wei that are in escrow until the block ends, of deposits that it refuses for other reasons. */
    const held = new Map<Address, bigint>();
    actions.forEach((action, index) => {
      const { account, payload } = action.transaction;
      if (isValidatorAction(payload)) this.#lose(account, `it staked or unstaked in block ${height}`);
      if (payload.type !== 'deposit' && payload.type !== 'enqueueEvmToOrders') return;
      if (results[index]?.ok !== true) {
        const isHeld = !this.#refusedDeposit(height, action, results[index], held.get(account) ?? 0n);
        if (isHeld) held.set(account, (held.get(account) ?? 0n) + payload.amount);
        return;
      }
      const lent = fromFaucet.get(index) ?? 0n;
      this.#move(account, lent - payload.amount);
      if (this.#faucet !== null) this.#move(this.#faucet, -lent);
    });
  }

  /** Tells of a deposit that was refused for lack of wei that are there. @returns whether lack of wei was the reason */
  #refusedDeposit(
    height: number,
    { transaction }: VerifiedAction,
    result: ActionResult | undefined,
    held: bigint,
  ): boolean {
    if (result?.ok !== false || result.error.code !== 'CLOB_INSUFFICIENT_FUNDS') return false;
    const { account, payload } = transaction;
    const amount = 'amount' in payload ? payload.amount : 0n;
    const entry = this.#entries.get(account);
    if (entry !== undefined && entry.unknown === null && entry.balance - held >= amount)
      this.faults.push(
        `block ${height}: ${payload.type} of ${amount} wei by ${account} was refused for lack of funds, it has ${entry.balance}`,
      );
    return true;
  }

  #transaction({ height, proposer, baseFee }: DecidedBlock, transaction: ExecutedTransaction): void {
    const { from, to, nonce, value, status, gasUsed, effectiveGasPrice, hash, type } = transaction;
    const sender = this.#entries.get(from);
    if (sender !== undefined || (to !== null && this.#entries.has(to))) this.#transactions++;
    if (sender !== undefined) {
      if (nonce !== sender.nonce && sender.unknown === null)
        this.faults.push(`block ${height}: ${hash} of ${from} has nonce ${nonce}, next was ${sender.nonce}`);
      sender.nonce = nonce + 1;
      sender.balance -= gasUsed * effectiveGasPrice;
    }
    // EIP-7702: authorizations raise nonces, and the account runs code from then on.
    if (type === 4) this.#lose(from, `it sent an EIP-7702 transaction in block ${height}`);
    if (status === 1 && value > 0n) {
      this.#move(from, -value);
      if (to !== null) this.#move(to, value);
    }
    this.#move(proposer, gasUsed * (effectiveGasPrice - baseFee));
  }

  #move(address: Address, wei: bigint): void {
    const entry = this.#entries.get(address);
    if (entry !== undefined) entry.balance += wei;
  }

  #lose(address: Address, why: string): void {
    const entry = this.#entries.get(address);
    if (entry !== undefined) entry.unknown ??= why;
  }
}
