import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { damaged, StreamsError } from '../../errors.ts';
import { encodeRecord } from '../../json.ts';
import type { ChainIdentity, Cursor, Sink } from '../../ports.ts';
import { type BlockRecords, type ChainRecord, recordId } from '../../record.ts';
import {
  answerMsMax,
  connectNats,
  endOf,
  findStream,
  genesisHeader,
  managerOf,
  type NatsPlace,
  type NatsStreamSettings,
  type StreamEnd,
  subjectOf,
} from './natsStream.ts';

/** Messages that are on their way before their acknowledgements are waited for. */
const inFlightMax = 256;

interface Opened {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly chain: ChainIdentity;
  /** Sequence of the stream's last message. */
  sequence: number;
  /** The last record of a block of which the stream has a part. */
  part: ChainRecord | null;
}

/**
 * A stream of NATS JetStream. Each message carries its id for whoever dedupes, and the sequence that the stream has to have before it: so a
 * message that was lost on the way keeps those behind it out, and one that is stored is stored once, however late its acknowledgement is.
 */
export function createNatsSink(place: NatsPlace, settings: NatsStreamSettings): Sink {
  let opened: Opened | null = null;

  const publish = async (at: Opened, records: readonly ChainRecord[]): Promise<void> => {
    const { client, chain, connection } = at;
    const lastSequence = at.sequence;
    const outcomes = await Promise.allSettled(
      records.map(async (record, offset) => {
        const payload = encodeRecord(record);
        checkSize(record, payload, connection.info?.max_payload ?? Number.POSITIVE_INFINITY);
        const own = headers();
        own.set(genesisHeader, chain.genesisHash);
        const ack = await client.publish(subjectOf(place.prefix, chain.chainId, record), payload, {
          msgID: recordId(record),
          headers: own,
          timeout: answerMsMax,
          expect: { streamName: place.stream, lastSequence: lastSequence + offset },
        });
        // A duplicate of the message that is there is the message that is wanted.
        if (ack.seq !== lastSequence + offset + 1)
          throw failed(`${recordId(record)} came to sequence ${ack.seq} in place of ${lastSequence + offset + 1}`);
      }),
    );
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refused !== undefined) throw refused.reason;
    at.sequence = lastSequence + records.length;
  };

  return {
    name: 'nats',
    async open(chain) {
      const connection = await connectNats(place);
      try {
        const manager = await managerOf(connection);
        const info = (await findStream(manager, place, chain, settings))!;
        const end = await endOf(manager, info, place, chain);
        const part = end.last !== null && end.last.type !== 'block' ? end.last : null;
        opened = { connection, client: jetstream(connection), chain, sequence: end.sequence, part };
        return cursorOf(end);
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    async write(blocks: readonly BlockRecords[]) {
      const at = opened!;
      const records = blocks.flatMap((block) => block.records);
      const missing = records.slice(storedOf(blocks[0]!, at.part, place.stream));
      for (let from = 0; from < missing.length; from += inFlightMax)
        await publish(at, missing.slice(from, from + inFlightMax));
      at.part = null;
    },
    async close() {
      const connection = opened?.connection;
      opened = null;
      await connection?.close();
    },
  };
}

/** The last whole block; of a block in part it is the one before. */
function cursorOf({ last, block }: StreamEnd): Cursor | null {
  if (last === null) return null;
  if (last.type === 'block') return { height: last.height, hash: last.block_hash };
  const height = last.height - 1;
  return { height, hash: block?.height === height ? block.block_hash : null };
}

/** How many records of a block the stream has. @throws StreamsError `STREAMS_STORE_DAMAGED` */
function storedOf({ height, hash }: BlockRecords, part: ChainRecord | null, stream: string): number {
  if (part === null) return 0;
  if (part.height === height && part.block_hash === hash) return part.index + 1;
  throw damaged(
    `stream ${stream}`,
    `it ends with ${recordId(part)} of block ${part.block_hash}, and block ${height} is ${hash}`,
  );
}

const failed = (reason: string): StreamsError =>
  new StreamsError(`nats: ${reason}`, { code: 'STREAMS_SINK_FAILED', sink: 'nats', reason });

function checkSize(record: ChainRecord, payload: string, maximum: number): void {
  const bytes = Buffer.byteLength(payload);
  // Headers count as well; they are shorter than this.
  const headerBytes = 512;
  if (bytes + headerBytes <= maximum) return;
  const id = recordId(record);
  throw new StreamsError(
    `record ${id} has ${bytes} bytes, and the server takes messages of ${maximum}: raise max_payload in its configuration to ${bytes + headerBytes} or more`,
    { code: 'STREAMS_RECORD_TOO_LARGE', id, bytes, maximum },
  );
}
