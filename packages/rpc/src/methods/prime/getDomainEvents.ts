import { Type } from '@sinclair/typebox';
import { eventNamesAccount } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import { formatEvent } from '../../format/event.ts';
import { addressesSchema, parseAddresses } from '../../lookup/logFilter.ts';
import { blockRange, refuseManyAlternatives } from '../../lookup/logQuery.ts';
import { eventResult } from '../../schema/resultSchemas.ts';
import { sample, sampleEvent } from '../../schema/samples.ts';
import {
  blockNumber,
  type BlockSelector,
  hintKey,
  nullable,
  type ValueType,
  valueType,
} from '../../schema/valueTypes.ts';

interface EventFilter {
  readonly fromBlock: BlockSelector;
  readonly toBlock: BlockSelector;
  readonly domain: string | null;
  readonly kind: string | null;
  readonly addresses: readonly Address[];
}
interface WireFilter {
  readonly fromBlock: string | number;
  readonly toBlock: string | number;
  readonly domain?: string | null;
  readonly kind?: string | null;
  readonly address?: string | readonly string[] | null;
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
      address: Type.Optional(addressesSchema),
    },
    {
      additionalProperties: false,
      [hintKey]: 'must be {fromBlock, toBlock, domain, kind, address}, the last three optional',
    },
  ),
  (wire: WireFilter) => ({
    fromBlock: parseBlock(wire.fromBlock),
    toBlock: parseBlock(wire.toBlock),
    domain: wire.domain ?? null,
    kind: wire.kind ?? null,
    addresses: parseAddresses(wire.address),
  }),
);

/** What logs are to contracts: the history of order book, bridge and validators. */
export const getDomainEvents = defineMethod({
  name: 'prime_getDomainEvents',
  summary:
    'Domain events of a block range: order book, bridge and validator changes, in the order of execution; with `address` those that name one of these accounts. One that a contract caused has the ticket of its write, and the hash of its transaction in the block before.',
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
      params: [{ fromBlock: '0x1', toBlock: 'latest', address: sample.otherAddress }],
      result: [{ ...sampleEvent, data: { ...sampleEvent.data, address: sample.otherAddress } }],
    },
    {
      situation: 'a contract deposited through 0x…0100',
      params: [{ fromBlock: '0x1', toBlock: 'latest', domain: 'orders', kind: 'collateral_deposited' }],
      result: [{ ...sampleEvent, ticket: '0x7' }],
    },
  ],
  handler: async (context, { fromBlock, toBlock, domain, kind, addresses }) => {
    refuseManyAlternatives(context, addresses.length);
    const range = await blockRange(context, fromBlock, toBlock);
    if (range === null) return [];
    const limit = context.info.limits.logCount;
    return (await context.ports.chain.events({ ...range, domain, kind, addresses, limit })).map(formatEvent);
  },
});
