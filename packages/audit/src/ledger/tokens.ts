import { keccakHex } from '@prime/crypto';
import { type Address, bytesToAddress, bytesToBigint, hexToBytes, utf8ToBytes, zeroAddress } from '@prime/primitives';
import type { DecidedBlock } from '../decidedBlock.ts';

/** First topic of the log of an ERC-20 transfer. */
const transferTopic = keccakHex(utf8ToBytes('Transfer(address,address,uint256)'));

/** What a token's holders had before the first block that the ledger is told; nothing for one that is made later. */
export interface TokenStart {
  readonly address: Address;
  readonly balances?: ReadonlyMap<Address, bigint>;
}

/**
 * Balances and supply of given ERC-20 tokens, added up from their Transfer logs: what comes from the zero address is made, what goes there is gone.
 * Tokens that change balances without a log (rebasing, hidden fees) can not be followed.
 */
export class TokenLedger {
  readonly faults: string[] = [];
  readonly #tokens: Map<Address, Map<Address, bigint>>;
  #transfers = 0;

  constructor(tokens: readonly TokenStart[]) {
    this.#tokens = new Map(tokens.map(({ address, balances }) => [address, new Map(balances)]));
  }

  get tokens(): ReadonlyMap<Address, ReadonlyMap<Address, bigint>> {
    return this.#tokens;
  }

  get transfers(): number {
    return this.#transfers;
  }

  /** Sum of all balances. */
  supplyOf(token: Address): bigint {
    return [...(this.#tokens.get(token)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0n);
  }

  add({ height, transactions }: DecidedBlock): void {
    for (const { logs } of transactions)
      for (const { address, topics, data } of logs) {
        const balances = this.#tokens.get(address);
        if (balances === undefined || topics[0] !== transferTopic || topics.length !== 3 || data.length !== 32)
          continue;
        const [from, to] = [topics[1]!, topics[2]!].map((topic) => bytesToAddress(hexToBytes(topic).subarray(12)));
        const amount = bytesToBigint(data);
        this.#transfers++;
        if (from !== zeroAddress) this.#move({ height, token: address }, balances, from!, -amount);
        if (to !== zeroAddress) this.#move({ height, token: address }, balances, to!, amount);
      }
  }

  #move(
    { height, token }: { readonly height: number; readonly token: Address },
    balances: Map<Address, bigint>,
    holder: Address,
    amount: bigint,
  ): void {
    const after = (balances.get(holder) ?? 0n) + amount;
    if (after < 0n && amount < 0n)
      this.faults.push(`block ${height}: token ${token}: ${holder} gave ${-amount}, it had ${after - amount}`);
    balances.set(holder, after);
  }
}
