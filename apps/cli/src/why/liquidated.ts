import { type DomainEventOf, HistoryPrunedError } from '@prime/sdk';
import {
  amountText,
  explainLiquidation,
  explainNotLiquidated,
  formatInteger,
  type LiquidationFacts,
  liquidationStory,
  keptOrNull,
} from '@prime/sdk/explain';
import { type Address, isAddress } from 'viem';
import { type Connection, marketsById } from '../client/connect.ts';
import { usageError } from '../errors.ts';
import { marginAfter } from './marginBefore.ts';
import type { Answer } from './tell.ts';

/** @throws CliError `CLI_USAGE` with what is allowed */
export function accountNamed(given: string): Address {
  if (isAddress(given, { strict: false })) return given.toLowerCase() as Address;
  throw usageError(`an account is named by its address, 0x and 40 hex digits; got ${given}`, 'ACCOUNT');
}

/** Why and how an account was liquidated last; what keeps it from that where it was not. */
export async function whyLiquidated(connection: Connection, address: Address): Promise<Answer> {
  const { events, oldestBlock } = await liquidationsOf(connection, address, 1n);
  const last = events.at(-1);
  if (last === undefined) return healthOf(connection, address, oldestBlock);
  const block = last.blockNumber;
  const [all, markets, before] = await Promise.all([
    keptOrNull(connection.client.getDomainEvents({ fromBlock: block, toBlock: block, address })),
    marketsById(connection),
    marginAfter(connection, address, block - 1n),
  ]);
  const around = all ?? [];
  const positions = events
    .filter(({ blockNumber }) => blockNumber === block)
    .map((event) => ({ story: liquidationStory(event, around), market: markets.get(event.data.marketId) ?? null }));
  const cancelled = around.filter(
    (event) => event.kind === 'order_cancelled' && event.data.owner === address && event.data.reason === 'liquidation',
  );
  const facts: LiquidationFacts = { block, positions, before, cancelledOrders: cancelled.length };
  return {
    explanation: explainLiquidation(facts),
    figures: [
      ['account', address],
      ['block', formatInteger(block)],
      ...(last.transactionHash === null
        ? [['asked for by', 'nobody: the block did it by itself'] as const]
        : [['asked for by', last.transactionHash] as const]),
      ...(before === null
        ? []
        : [
            ['equity before', amountText(before.equity)] as const,
            ['maintenance margin', amountText(before.maintenanceMargin)] as const,
          ]),
      ['liquidations', `${formatInteger(events.length)} since block ${formatInteger(oldestBlock)}`],
    ],
    facts: {
      block,
      before,
      cancelledOrders: cancelled.length,
      positions: positions.map(({ story, market }) => ({ market: market?.symbol ?? null, ...story })),
      transactionHash: last.transactionHash,
    },
  };
}

interface History {
  readonly events: readonly DomainEventOf<'liquidation'>[];
  readonly oldestBlock: bigint;
}

async function liquidationsOf(connection: Connection, address: Address, fromBlock: bigint): Promise<History> {
  try {
    const range = { fromBlock, toBlock: 'latest', kind: 'liquidation', address } as const;
    return { events: await connection.client.getDomainEvents(range), oldestBlock: fromBlock };
  } catch (error) {
    if (!(error instanceof HistoryPrunedError) || error.oldest === null || error.oldest <= fromBlock) throw error;
    return liquidationsOf(connection, address, error.oldest);
  }
}

async function healthOf({ client }: Connection, address: Address, oldestBlock: bigint): Promise<Answer> {
  const account = await client.getAccount({ address });
  const { equity, maintenanceMargin, initialMargin, collateral, positions } = account;
  return {
    explanation: explainNotLiquidated(account, oldestBlock),
    figures: [
      ['account', address],
      ['equity', amountText(equity)],
      ['maintenance margin', amountText(maintenanceMargin)],
      ['positions', formatInteger(positions.length)],
    ],
    facts: { collateral, equity, initialMargin, maintenanceMargin, positions: positions.length, oldestBlock },
  };
}
