import { decodeGlobalRecord } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { getOrdersProof, type PrimeClient } from '@prime/sdk';

/** What the exchange holds and owes in all, as of one block. Amounts in wei. */
export interface ExchangeTotals {
  readonly blockNumber: bigint;
  /** EVM balance of the order book's contract. */
  readonly escrow: bigint;
  /** All that came in and did not go out: collateral, queues and insurance fund. */
  readonly owed: bigint;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly insurance: bigint;
  /** Id that the next transfer between the domains gets. */
  readonly nextTransferId: number;
}

/** Reads both sides of the balance from one proof, so that they are of the same block. */
export async function readExchangeTotals(client: PrimeClient): Promise<ExchangeTotals> {
  const { blockNumber, record, accountProof } = await getOrdersProof(client, { global: true });
  if (record === null) throw new Error('The node has no totals of the exchange.');
  const { totalDeposits, totalWithdrawals, insurance, nextTransferId } = decodeGlobalRecord(hexToBytes(record.value));
  return {
    blockNumber,
    escrow: accountProof.balance,
    owed: totalDeposits - totalWithdrawals,
    deposited: totalDeposits,
    withdrawn: totalWithdrawals,
    insurance,
    nextTransferId,
  };
}
