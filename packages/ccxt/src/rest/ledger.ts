import type { TransferEntry } from '@prime/sdk';
import { findEntries } from '../accountHistory.ts';
import { collateralOf, collateralText, type Desk, fail } from '../desk.ts';
import type { Limit, Params, RowsQuery, Since, Structure } from '../library.ts';
import { magnitude } from '../numbers.ts';
import { entryId } from '../parse/trade.ts';
import { plain } from '../plain.ts';

/** What moved collateral of an account, trading aside. */

/** Steps of the bridge change nothing by themselves, and stand beside the entry that did. */
const isMove = ({ change }: TransferEntry): boolean => change !== 0n;

/** @throws BadRequest for another currency than that of collateral */
async function findMoves(desk: Desk, code: string | undefined, query: RowsQuery): Promise<readonly TransferEntry[]> {
  const own = collateralOf(desk.exchange).code;
  if (code !== undefined && code !== own)
    return fail(desk, 'BadRequest', `has a ledger of ${own} only, not of ${code}`);
  return findEntries(desk, (page) => desk.reader.getTransfers(page), query, isMove);
}

/** The other side of a move: another account, or the coins in the EVM. */
const otherOf = ({ kind, change, from, to }: TransferEntry): string =>
  (kind === 'transfer' ? (change < 0n ? to : from) : null) ?? 'wallet';

/** Deposits, withdrawals and transfers, with collateral before and after where the chain tells it. */
export async function fetchLedger(
  desk: Desk,
  code?: string,
  since?: Since,
  limit?: Limit,
  params: Params = {},
): Promise<Structure[]> {
  const { exchange } = desk;
  const entries = await findMoves(desk, code, { since, limit, params });
  const currency = collateralOf(exchange).code;
  const text = (wei: bigint): string => collateralText(exchange, wei);
  return entries.map((entry) => {
    const { kind, change, collateral, transactionHash, timeMs } = entry;
    return exchange.safeLedgerEntry(
      {
        info: plain(entry),
        id: entryId(entry),
        timestamp: timeMs,
        direction: change < 0n ? 'out' : 'in',
        account: 'margin',
        referenceId: transactionHash ?? undefined,
        referenceAccount: otherOf(entry),
        type: kind === 'transfer' ? 'transfer' : 'transaction',
        amount: text(magnitude(change)),
        before: collateral === null ? undefined : text(collateral - change),
        after: collateral === null ? undefined : text(collateral),
        status: 'ok',
      },
      exchange.currency(currency),
    );
  });
}

/** The same as `transfer` names it: between `wallet` and `margin`, or to and from the address of another account. */
export async function fetchTransfers(
  desk: Desk,
  code?: string,
  since?: Since,
  limit?: Limit,
  params: Params = {},
): Promise<Structure[]> {
  const { exchange } = desk;
  const entries = await findMoves(desk, code, { since, limit, params });
  return entries.map((entry) => {
    const { change, timeMs } = entry;
    const accounts = change < 0n ? ['margin', otherOf(entry)] : [otherOf(entry), 'margin'];
    return {
      info: plain(entry),
      id: entryId(entry),
      timestamp: timeMs,
      datetime: exchange.iso8601(timeMs),
      currency: collateralOf(exchange).code,
      amount: exchange.parseNumber(collateralText(exchange, magnitude(change))),
      fromAccount: accounts[0],
      toAccount: accounts[1],
      status: 'ok',
    };
  });
}
