import {
  accountsNamedBy,
  type ActionResult,
  type BlockPlace,
  decodeNativeTransaction,
  type Receipt,
} from '@prime/codec';
import { type Address, assert, type Height, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod, type MethodContext, optional, required } from '../../define.ts';
import { invalidParams } from '../../errors/errors.ts';
import { formatNativeTransaction } from '../../format/nativeTransaction.ts';
import { formatTransaction } from '../../format/transaction.ts';
import type { BlockRecord } from '../../ports/ports.ts';
import { orNull, quantityResult, transactionResult } from '../../schema/resultSchemas.ts';
import { sample, sampleTransaction } from '../../schema/samples.ts';
import { address, hintKey, index, nullable, type ValueType, valueType } from '../../schema/valueTypes.ts';

const limitDefault = 25;
/** Each may be a read of a whole block. */
const limitMax = 100;
/** Bytes of the transactions of a page, from which on no more are added: one may have 128 KiB. */
const pageBytes = 1 << 20;

interface Page {
  readonly limit: number;
  readonly before: BlockPlace;
}
type WireNumber = string | number;
interface WirePage {
  readonly limit?: WireNumber | null;
  readonly before?: { readonly block_number: WireNumber; readonly transaction_index: WireNumber } | null;
}

/** Behind everything. */
const end: BlockPlace = { height: Number.MAX_SAFE_INTEGER as Height, index: 0 };

const page: ValueType<Page> = valueType(
  Type.Object(
    {
      limit: Type.Optional(nullable(index.schema)),
      before: Type.Optional(
        nullable(
          Type.Object(
            { block_number: index.schema, transaction_index: index.schema },
            { additionalProperties: false, [hintKey]: 'must be {block_number, transaction_index}' },
          ),
        ),
      ),
    },
    { additionalProperties: false, [hintKey]: 'must be {limit, before}, both optional' },
  ),
  ({ limit, before }: WirePage) => ({
    limit: limit == null ? limitDefault : Number(limit),
    before:
      before == null ? end : { height: Number(before.block_number) as Height, index: Number(before.transaction_index) },
  }),
);

/** What an account has to do with a transaction or action. */
const roles = ['sender', 'recipient', 'created', 'named', 'agent'] as const;
type Role = (typeof roles)[number];

interface Entry {
  readonly roles: readonly Role[];
  readonly status: 0 | 1;
  readonly transaction: unknown;
}

/** A block whose outcomes are read once, when the first of them is wanted: it may hold all of a page. */
interface OpenBlock {
  readonly record: BlockRecord;
  readonly receipts: () => Promise<readonly Receipt[]>;
  readonly results: () => Promise<readonly ActionResult[]>;
}

async function openBlock({ ports: { chain } }: MethodContext, height: Height): Promise<OpenBlock> {
  const record = await chain.blockByHeight(height);
  assert(record !== null, `block ${height} is indexed and not there`);
  let receipts: Promise<readonly Receipt[]> | null = null;
  let results: Promise<readonly ActionResult[]> | null = null;
  return {
    record,
    receipts: () => (receipts ??= Promise.resolve(chain.receipts(height))),
    results: () => (results ??= Promise.resolve(chain.actionResults(height))),
  };
}

async function transactionEntry(account: Address, { record, receipts }: OpenBlock, index: number): Promise<Entry> {
  const { from, to, contractAddress, status } = (await receipts())[index]!;
  const parts: readonly [Role, Address | null][] = [
    ['sender', from],
    ['recipient', to],
    ['created', contractAddress],
  ];
  return {
    roles: parts.filter(([, part]) => part === account).map(([role]) => role),
    status,
    transaction: formatTransaction(record.block.transactions[index]!, record.transactionHashes[index]!, from, {
      record,
      index,
    }),
  };
}

async function actionEntry(account: Address, { record, results }: OpenBlock, index: number): Promise<Entry> {
  const raw = record.block.actions[index]!;
  const { account: owner, payload } = decodeNativeTransaction(raw);
  const found: Role[] = [];
  if (owner === account) found.push('sender');
  if (accountsNamedBy(payload).includes(account)) found.push('named');
  return {
    // Who neither owns it nor is named in it has signed it.
    roles: found.length === 0 ? ['agent'] : found,
    status: (await results())[index]!.ok ? 1 : 0,
    transaction: formatNativeTransaction(raw, record.actionHashes[index]!, { record, index }),
  };
}

/** The first places, as far as they make one page. */
async function entriesAt(
  context: MethodContext,
  account: Address,
  places: readonly BlockPlace[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let open: OpenBlock | null = null;
  let bytes = 0;
  for (const { height, index } of places) {
    if (open?.record.block.header.height !== height) open = await openBlock(context, height);
    const { transactions, actions } = open.record.block;
    const inActions = index - transactions.length;
    bytes += (transactions[index] ?? actions[inActions]!).length;
    if (bytes > pageBytes && entries.length > 0) break;
    const entry = inActions < 0 ? transactionEntry(account, open, index) : actionEntry(account, open, inActions);
    entries.push(await entry);
  }
  return entries;
}

/** The history of an account, newest first, in pages. */
export const getAccountTransactions = defineMethod({
  name: 'prime_getAccountTransactions',
  summary: `Transactions and signed actions that concern an account, the last first, with what it is to each: sender, recipient or created contract of a transaction; of an action sender (its owner), named (who is paid, liquidated or may act) or agent (who signed it for its owner). What a contract did on the way is in traces and logs, not here. \`page\` is {limit, before}, both optional: at most \`limit\` of them (default ${limitDefault}, at most ${limitMax}; fewer where they are large) in front of the place \`before\`, which is the \`next\` of the page before; \`next\` is null on the last page. A node that prunes tells of the blocks from \`oldest_block\` on.`,
  params: [required('address', address), optional('page', page)],
  result: Type.Object(
    {
      transactions: Type.Array(
        Type.Object(
          {
            roles: Type.Array(Type.Union(roles.map((role) => Type.Literal(role)))),
            status: quantityResult,
            transaction: transactionResult,
          },
          { title: 'AccountTransaction' },
        ),
      ),
      next: orNull(
        Type.Object({ block_number: quantityResult, transaction_index: quantityResult }, { title: 'BlockPlace' }),
      ),
      oldest_block: quantityResult,
    },
    { title: 'AccountTransactions' },
  ),
  errors: ['RPC_HISTORY_PRUNED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    {
      situation: 'an account with one transaction',
      params: [sample.address, { limit: 10 }],
      result: {
        transactions: [{ roles: ['sender'], status: '0x1', transaction: sampleTransaction }],
        next: null,
        oldest_block: '0x1',
      },
    },
  ],
  handler: async (context, account, asked) => {
    const { limit, before } = asked ?? { limit: limitDefault, before: end };
    if (limit < 1 || limit > limitMax) throw invalidParams('page.limit', `must be from 1 to ${limitMax}`);
    // One more tells whether there is another page.
    const found = await context.ports.chain.accountPlaces({ address: account, before, count: limit + 1 });
    const entries = await entriesAt(context, account, found.places.slice(0, limit));
    const last = found.places.length > entries.length ? found.places[entries.length - 1] : undefined;
    return {
      transactions: entries.map(({ status, ...entry }) => ({ status: toQuantity(status), ...entry })),
      next:
        last === undefined
          ? null
          : { block_number: toQuantity(last.height), transaction_index: toQuantity(last.index) },
      oldest_block: toQuantity(found.oldest),
    };
  },
});
