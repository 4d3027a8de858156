import { Type } from '@sinclair/typebox';
import { eventNamesAccount } from '@prime/codec';
import { defineMethod, required, type ValueType } from '../../define.ts';
import { formatEvent } from '../../format/event.ts';
import { blockRange } from '../../logFilter.ts';
import { eventResult } from '../../resultSchemas.ts';
import { sampleEvent } from '../../samples.ts';
import { type BlockSelector, blockNumber, hintKey, nullable, valueType } from '../../valueTypes.ts';

interface EventFilter {
  readonly fromBlock: BlockSelector;
  readonly toBlock: BlockSelector;
  readonly domain: string | null;
  readonly kind: string | null;
}
interface WireFilter {
  readonly fromBlock: string | number;
  readonly toBlock: string | number;
  readonly domain?: string | null;
  readonly kind?: string | null;
}

const word = nullable(Type.String({ [hintKey]: 'must be text' }));
const parseBlock = blockNumber.parse as (value: string | number) => BlockSelector;

const eventFilter: ValueType<EventFilter> = valueType(
  Type.Object(
    {
      fromBlock: blockNumber.schema,
      toBlock: blockNumber.schema,
      domain: Type.Optional(word),
      kind: Type.Optional(word),
    },
    { [hintKey]: 'must be a filter object' },
  ),
  (wire: WireFilter) => ({
    fromBlock: parseBlock(wire.fromBlock),
    toBlock: parseBlock(wire.toBlock),
    domain: wire.domain ?? null,
    kind: wire.kind ?? null,
  }),
);

export const getDomainEvents = defineMethod({
  name: 'prime_getDomainEvents',
  summary:
    'Domain events of a block range: order book, bridge and validator changes, in the order of execution. One that a contract caused has the ticket of its write, and the hash of its transaction in the block before.',
  params: [required('filter', eventFilter)],
  result: Type.Array(eventResult),
  errors: ['RPC_LIMIT_EXCEEDED', 'RPC_HISTORY_PRUNED'],
  cost: 'heavy',
  // Answered whole or not at all: a list with holes would pass for a complete one.
  privacy: ({ domain, kind }) => (kind === null ? domain !== 'validators' : eventNamesAccount(kind)),
  examples: [
    {
      params: [{ fromBlock: '0x1', toBlock: 'latest', domain: 'orders', kind: 'collateral_deposited' }],
      result: [sampleEvent],
    },
    {
      situation: 'a contract deposited through 0x…0100',
      params: [{ fromBlock: '0x1', toBlock: 'latest', domain: 'orders', kind: 'collateral_deposited' }],
      result: [{ ...sampleEvent, ticket: '0x7' }],
    },
  ],
  handler: async (context, { fromBlock, toBlock, domain, kind }) => {
    const range = await blockRange(context, fromBlock, toBlock);
    if (range === null) return [];
    const limit = context.info.limits.logCount;
    return (await context.ports.chain.events({ ...range, domain, kind, limit })).map(formatEvent);
  },
});
