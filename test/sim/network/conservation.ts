import {
  clobRecordKind,
  decodeAccountRecord,
  decodeGlobalRecord,
  decodeTransferRecord,
  globalRecordKey,
  heightKey,
  ordersAddress,
  prefixedKey,
  statePrefix,
} from '@prime/codec';
import { type StateDatabase } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { bytesToAddress, type Height } from '@prime/primitives';
import { Violation } from '../observer.ts';

/** All wei that accounts have. */
export async function supplyOf(database: StateDatabase): Promise<bigint> {
  const accounts = createAccountReader(database);
  let supply = 0n;
  for await (const [key] of database.entries(Uint8Array.of(statePrefix.account)))
    supply += accounts.account(bytesToAddress(key.slice(1))).balance;
  return supply;
}

/** Adds up what is stored, with no code of what changed it: what the order book owes is in escrow, and nobody made or lost a wei of it. */
export async function checkOrderBook(database: StateDatabase, height: Height): Promise<void> {
  const record = (key: Uint8Array): Uint8Array => prefixedKey(statePrefix.clobRecord, key);
  const stored = database.getSync(record(globalRecordKey()));
  if (stored === undefined) throw new Violation('the order book has no global record');
  const { insurance, totalDeposits, totalWithdrawals, funding } = decodeGlobalRecord(stored);
  let held = insurance + (funding?.pool ?? 0n);
  for await (const [, value] of database.entries(record(Uint8Array.of(clobRecordKind.account)))) {
    const { collateral, positions } = decodeAccountRecord(value);
    held += collateral;
    for (const { size, entry } of positions) held += size < 0n ? entry : -entry;
  }
  for await (const [, value] of database.entries(record(Uint8Array.of(clobRecordKind.transfer))))
    held += decodeTransferRecord(value).amount;
  const came = totalDeposits - totalWithdrawals;
  if (held !== came) throw new Violation(`accounts, insurance and transfers hold ${held} wei, ${came} came in`);
  const escrow = createAccountReader(database).account(ordersAddress).balance;
  // Deposits that contracts made in the newest block are credited in the next one.
  const hasPending = database.getSync(heightKey(statePrefix.contractWrites, height)) !== undefined;
  if (hasPending ? escrow < came : escrow !== came) throw new Violation(`escrow has ${escrow} wei, ${came} came in`);
}
