import {
  type ContractAction,
  type ContractWrite,
  decodeContractWrites,
  encodeContractWrites,
  heightKey,
  ordersAddress,
  type Receipt,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import { contractActionOf, contractWritesOf, pendingWritesSlot } from '@prime/predeploy';
import { keccakHex } from '@prime/crypto';
import type { StateDatabase } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import type { Hash, Height } from '@prime/primitives';
import { ChainError } from '../errors.ts';

/**
 * What contracts have the order book do. The transactions of a block are final before anybody knows what the order book would say to them,
 * so their writes wait one block: as logs of 0x…0100, in a record of their own, and by its hash in the state.
 */
export interface PendingWrites {
  readonly writes: readonly ContractWrite[];
  /** For the state; zeros for none. */
  readonly hash: Hash;
  /** null for none. */
  readonly encoded: Uint8Array | null;
}

const noHash = `0x${'00'.repeat(32)}` as Hash;

const pendingOf = (writes: readonly ContractWrite[]): PendingWrites => {
  const encoded = writes.length === 0 ? null : encodeContractWrites(writes);
  return { writes, encoded, hash: encoded === null ? noHash : keccakHex(encoded) };
};

/** What a block's transactions leave to the next block. */
export const pendingWritesOf = (receipts: readonly Receipt[]): PendingWrites => pendingOf(contractWritesOf(receipts));

/** What a committed block left to the next one. */
export function readPendingWrites(database: Pick<StateDatabase, 'getSync'>, height: Height): PendingWrites {
  const encoded = database.getSync(heightKey(statePrefix.contractWrites, height));
  return pendingOf(encoded === undefined ? [] : decodeContractWrites(encoded));
}

/** @throws ChainError `CHAIN_CONTRACT_WRITES_MISMATCH` when a restored database lacks what the next block has to carry out */
export function checkPendingWrites(database: Pick<StateDatabase, 'getSync'>, height: Height): void {
  const { hash: stored } = readPendingWrites(database, height);
  const committed = createAccountReader(database).slot(ordersAddress, pendingWritesSlot);
  if (stored !== committed)
    throw new ChainError(`contracts left ${stored} to the block after ${height}, the state says ${committed}`, {
      code: 'CHAIN_CONTRACT_WRITES_MISMATCH',
      stored,
      committed,
    });
}

/** The record to be written with the block at this height; nothing where contracts asked for nothing. */
export const pendingWritesRecord = (height: Height, { encoded }: PendingWrites): RecordWrite[] =>
  encoded === null ? [] : [{ key: heightKey(statePrefix.contractWrites, height), value: encoded }];

/** What the next block carries out, in the order of the logs. */
export const actionsOf = ({ writes }: PendingWrites): ContractAction[] => writes.map(contractActionOf);

/** Wei that came into escrow with them. */
export const depositsOf = (pending: PendingWrites): bigint =>
  actionsOf(pending).reduce((sum, { payload }) => (payload.type === 'deposit' ? sum + payload.amount : sum), 0n);
