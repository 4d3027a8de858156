import { type DomainEvent, encodeEventFrames, eventFromJson, type EventJson, eventsRoot } from '@prime/codec';
import type { Hash as ChainHash } from '@prime/primitives';
import type { Address, DomainEventOf, Hash, Hex, NativeBlock } from '@prime/sdk';
import { StreamsError } from './errors.ts';

/** A log of the EVM. */
export interface ChainLog {
  readonly logIndex: number;
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
}

/** All that streams tell of a block. */
export interface ChainBlock {
  readonly height: number;
  readonly hash: Hash;
  readonly block: NativeBlock;
  readonly events: readonly DomainEventOf[];
  readonly logs: readonly ChainLog[];
  /** Hashes of the actions of the block, in order; empty where no event names one. */
  readonly actionHashes: readonly Hash[];
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const hex = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`);

/** Fields of an event under the names that nodes give them. @param write what becomes of amounts */
export function eventFields(
  data: DomainEventOf['data'],
  write: (amount: bigint) => string,
): Record<string, string | number | boolean | null> {
  const fields = Object.entries(data as Readonly<Record<string, string | number | boolean | bigint | null>>);
  return Object.fromEntries(
    fields.map(([name, value]) => [snake(name), typeof value === 'bigint' ? write(value) : value]),
  );
}

/** An event as consensus commits to it. @throws CodecError for a kind or a field that this program does not know */
function committedEvent(event: DomainEventOf, actionHashes: readonly Hash[]): DomainEvent {
  const { domain, kind, ticket, transactionHash } = event;
  const index = transactionHash === null ? -1 : actionHashes.indexOf(transactionHash);
  const origin =
    ticket === null
      ? { actionIndex: index < 0 ? null : index }
      : { actionIndex: null, contract: { ticket, transactionHash: transactionHash as ChainHash } };
  return eventFromJson({ domain, kind, data: eventFields(event.data, hex) } as EventJson, origin);
}

/**
 * Hash of the events of a block, which the header of the block after it holds.
 *
 * @throws StreamsError `STREAMS_ANSWER_WRONG` for an event that this program does not know
 */
function eventsRootOf({ height, events, actionHashes }: ChainBlock): string {
  try {
    return eventsRoot(encodeEventFrames(events.map((event) => committedEvent(event, actionHashes))));
  } catch (cause) {
    throw wrong(height, `it holds an event that this program does not know (${(cause as Error).message})`, cause);
  }
}

const wrong = (height: number, reason: string, cause?: unknown): StreamsError =>
  new StreamsError(
    `block ${height} as a node tells it is wrong: ${reason}`,
    { code: 'STREAMS_ANSWER_WRONG', height, reason },
    { cause },
  );

/**
 * Refuses a block of which a node told a part only, or something else.
 *
 * @throws StreamsError `STREAMS_ANSWER_WRONG`
 */
export function checkBlock(block: ChainBlock): void {
  const { height, hash, events, logs } = block;
  if (block.block.number !== BigInt(height)) throw wrong(height, `it is block ${block.block.number}`);
  for (const [at, { index, blockHash, blockNumber }] of events.entries())
    if (index !== at || blockHash !== hash || blockNumber !== BigInt(height))
      throw wrong(height, `event ${at} is event ${index} of block ${blockNumber} ${blockHash}`);
  for (const [at, { logIndex }] of logs.entries())
    if (logIndex !== at) throw wrong(height, `log ${at} has the index ${logIndex}`);
  const root = eventsRootOf(block);
  if (root !== block.block.eventsRoot)
    throw wrong(
      height,
      `its events hash to ${root}, and it commits to ${block.block.eventsRoot}; after the privacy fork only the operator's surface tells all events`,
    );
}
