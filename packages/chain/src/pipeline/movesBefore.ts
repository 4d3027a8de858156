import { decodeRlp, encodeRlp, heightKey, type RecordWrite, type RlpItem, statePrefix } from '@prime/codec';
import type { BalanceMove, StateDatabase } from '@prime/evm';
import { assert, bytesToAddress, bytesToBigint, type Height, hexToBytes } from '@prime/primitives';

/**
 * wei that the boundary phase moved before a block's transactions ran. They can not be told from the block alone (what a deposit draws from the
 * faucet depends on balances, what is paid out on the order book), and whoever runs its transactions again has to make them first.
 */
export function movesBeforeWrites(
  height: Height,
  moves: readonly BalanceMove[],
  transactionCount: number,
): readonly RecordWrite[] {
  if (moves.length === 0 || transactionCount === 0) return [];
  const items = moves.map(({ from, to, amount }) => [hexToBytes(from), hexToBytes(to), amount]);
  return [{ key: heightKey(statePrefix.movesBefore, height), value: encodeRlp(items) }];
}

const bytesOf = (item: RlpItem | undefined): Uint8Array => {
  assert(item !== undefined && ArrayBuffer.isView(item), 'a record of moved wei has a list where bytes belong');
  return item;
};

/** In the order in which they were made; empty where none were. Amounts are in wei. */
export function readMovesBefore(database: Pick<StateDatabase, 'getSync'>, height: Height): readonly BalanceMove[] {
  const bytes = database.getSync(heightKey(statePrefix.movesBefore, height));
  if (bytes === undefined) return [];
  const items = decodeRlp(bytes);
  assert(!ArrayBuffer.isView(items), 'a record of moved wei is a list');
  return items.map((item) => {
    assert(!ArrayBuffer.isView(item) && item.length === 3, 'a move of wei has three fields');
    const [from, to, amount] = item.map(bytesOf);
    return { from: bytesToAddress(from!), to: bytesToAddress(to!), amount: bytesToBigint(amount!) };
  });
}
