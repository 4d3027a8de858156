import { HistoryPrunedError, type Order } from '@prime/sdk';
import { explainOrder, keptOrNull, type OrderFacts } from '@prime/sdk/explain';
import { isAddress, type Address } from 'viem';
import { type Connection, marketsById } from '../client/connect.ts';
import { parseClientId } from '../client/orderWords.ts';
import { viewOrder } from '../client/orderView.ts';
import { type CliError, notFound, usageError } from '../errors.ts';
import { marginAfter } from './marginBefore.ts';
import type { Answer } from './tell.ts';

/** Ids are exact numbers up to here. */
const orderIdMax = BigInt(Number.MAX_SAFE_INTEGER);

type Key = { readonly orderId: number } | { readonly owner: Address; readonly clientId: `0x${string}` };

/** What names an order: its id, or with an owner its client id. @throws CliError `CLI_USAGE` with what is allowed */
export function orderKey(given: string, owner: string | undefined): Key {
  const wrong = (what: string): CliError => usageError(what, 'ID');
  if (owner !== undefined) {
    if (!isAddress(owner, { strict: false })) throw wrong(`--owner must be an address, got ${owner}`);
    return { owner: owner.toLowerCase() as Address, clientId: parseClientId(given) };
  }
  if (/^0x[0-9a-fA-F]{64}$/.test(given))
    throw wrong(`${given} is the hash of an action or transaction: prime why transaction ${given}`);
  if (isAddress(given, { strict: false }))
    throw wrong(`${given} is an account: prime why liquidated ${given}, or prime order list --owner ${given}`);
  const isNumber = /^(?:\d{1,16}|0x[0-9a-fA-F]{1,14})$/.test(given);
  if (!isNumber || BigInt(given) > orderIdMax || BigInt(given) === 0n)
    throw wrong(
      `an order is named by its id, a whole number of 1 to ${orderIdMax}, or by its client id with --owner ADDRESS; got ${given}`,
    );
  return { orderId: Number(BigInt(given)) };
}

/** How an order stands or ended, and why. @throws CliError `CLI_NOT_FOUND` */
export async function whyOrder(connection: Connection, key: Key): Promise<Answer> {
  const named = 'orderId' in key ? `order ${key.orderId}` : `order with client id ${key.clientId} of ${key.owner}`;
  const order = await connection.client.getOrder(key).catch((error: unknown) => {
    if (!(error instanceof HistoryPrunedError)) throw error;
    throw notFound(
      `${connection.urls[0]} does not know ${named}: it never was, or it ended before block ${error.oldest ?? 'that it keeps'}; a node that keeps all of history can tell`,
      named,
    );
  });
  if (order === null)
    throw notFound(`there is no ${named}: a refused order gets no id, prime why transaction HASH tells of one`, named);
  return answerOf(connection, order);
}

/** The facts of an order. */
export async function orderFacts(connection: Connection, order: Order): Promise<OrderFacts> {
  const { closedBlock, owner, orderId, reason } = order;
  const [markets, ends, marginBefore] = await Promise.all([
    marketsById(connection),
    closedBlock === null
      ? null
      : keptOrNull(
          connection.client.getDomainEvents({
            fromBlock: closedBlock,
            toBlock: closedBlock,
            kind: 'order_cancelled',
            address: owner,
          }),
        ),
    closedBlock !== null && reason === 'margin' ? marginAfter(connection, owner, closedBlock - 1n) : null,
  ]);
  const end = ends?.find(({ data }) => data.orderId === orderId) ?? null;
  return {
    order,
    market: markets.get(order.marketId) ?? null,
    endedBy: end?.transactionHash ?? null,
    marginBefore,
  };
}

async function answerOf(connection: Connection, order: Order): Promise<Answer> {
  const [facts, markets] = await Promise.all([orderFacts(connection, order), marketsById(connection)]);
  const view = viewOrder(order, markets.get(order.marketId) ?? null);
  return {
    explanation: explainOrder(facts),
    figures: ['market', 'side', 'price', 'size', 'filled', 'remaining', 'tif', 'status', 'owner', 'createdBlock'].map(
      (name) => [name === 'createdBlock' ? 'since block' : name, String(view[name] ?? '-')] as const,
    ),
    facts: { order: view, endedBy: facts.endedBy, marginBefore: facts.marginBefore },
  };
}
