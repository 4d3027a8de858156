import { jetstreamManager, type JetStreamManager, JetStreamApiError, type StreamInfo } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection, nanos, tokenAuthenticator } from '@nats-io/transport-node';
import { damaged, otherChain, StreamsError } from '../../errors.ts';
import { decodeRecord } from '../../json.ts';
import type { ChainIdentity } from '../../ports.ts';
import type { ChainRecord } from '../../record.ts';

/** How the server is reached. Secrets are their texts, not their files. */
export interface NatsPlace {
  /** nats://host:port, or tls://. */
  readonly urls: readonly string[];
  readonly stream: string;
  /** First word of all subjects. */
  readonly prefix: string;
  /** A credentials file's text. */
  readonly credentials?: string | undefined;
  readonly token?: string | undefined;
  /** Certificates of authorities, PEM. */
  readonly ca?: string | undefined;
}

/** How the stream is made where there is none; one that is there stays as it is. */
export interface NatsStreamSettings {
  readonly replicas: number;
  /** Null is for ever. */
  readonly maxAgeMs: number | null;
  /** Null is as much as the server has. */
  readonly maxBytes: number | null;
  readonly duplicateWindowMs: number;
}

/** Says in each message whose it is. */
export const genesisHeader = 'Prime-Genesis';
/** For an answer of the server, ms. */
export const answerMsMax = 10_000;

/**
 * Connects to the first server that answers. The connection does not come back by itself: a sink reads anew where it
 * ends. Rejects with an error of the NATS client when no server can be reached.
 */
export function connectNats({ urls, credentials, token, ca }: NatsPlace): Promise<NatsConnection> {
  return connect({
    servers: [...urls],
    name: 'prime streams',
    // A connection that is lost is a sink that is lost: where the stream ends is read anew.
    reconnect: false,
    timeout: answerMsMax,
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }),
    ...(token === undefined ? {} : { authenticator: tokenAuthenticator(token) }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
}

const streamNotFound = 10_059;

/** What makes and reads streams of a connection; each of its answers has {@link answerMsMax}. */
export const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { timeout: answerMsMax });

/** The stream, made where it is missing and settings are given; null where it is missing. */
export async function findStream(
  manager: JetStreamManager,
  { stream, prefix }: NatsPlace,
  { chainId, genesisHash }: ChainIdentity,
  settings?: NatsStreamSettings,
): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== streamNotFound) throw error;
  }
  if (settings === undefined) return null;
  const { replicas, maxAgeMs, maxBytes, duplicateWindowMs } = settings;
  return manager.streams.add({
    name: stream,
    description: `Prime chain ${chainId}, genesis ${genesisHash}`,
    subjects: [`${prefix}.${chainId}.>`],
    num_replicas: replicas,
    max_age: maxAgeMs === null ? 0 : nanos(maxAgeMs),
    max_bytes: maxBytes ?? -1,
    duplicate_window: nanos(duplicateWindowMs),
  });
}

/** Subject of a record. */
export function subjectOf(prefix: string, chainId: number, record: ChainRecord): string {
  const base = `${prefix}.${chainId}`;
  switch (record.type) {
    case 'block':
      return `${base}.blocks`;
    case 'event':
      return `${base}.events.${record.domain}.${record.kind}`;
    case 'fill':
      return `${base}.fills.${record.market_id}`;
    default:
      return `${base}.logs.${record.address}`;
  }
}

/** How far a stream is. */
export interface StreamEnd {
  /** Sequence of its last message; 0 where there was none. */
  readonly sequence: number;
  /** The last record; null in an empty stream. */
  readonly last: ChainRecord | null;
  /** The last record of a block that it holds; null where it holds none. */
  readonly block: ChainRecord | null;
}

/** @throws StreamsError `STREAMS_OTHER_CHAIN`, `STREAMS_STORE_DAMAGED`, `STREAMS_CURSOR_LOST` */
export async function endOf(
  manager: JetStreamManager,
  { state }: StreamInfo,
  { stream, prefix }: NatsPlace,
  chain: ChainIdentity,
): Promise<StreamEnd> {
  const { last_seq: sequence, messages } = state;
  if (sequence === 0) return { sequence, last: null, block: null };
  if (messages === 0)
    throw new StreamsError(
      `the stream ${stream} held messages and holds none any more, so nothing says where to go on: delete it and begin anew with source.from, and give it a longer nats.max_age_hours`,
      { code: 'STREAMS_CURSOR_LOST', stream },
    );
  const last = await recordAt(manager, stream, { seq: sequence }, chain);
  if (last === null) throw damaged(`stream ${stream}`, `message ${sequence}, its last one, is gone`);
  const subject = `${prefix}.${chain.chainId}.blocks`;
  const block = last.type === 'block' ? last : await recordAt(manager, stream, { last_by_subj: subject }, chain);
  return { sequence, last, block };
}

const noMessage = 10_037;

async function recordAt(
  manager: JetStreamManager,
  stream: string,
  query: { readonly seq: number } | { readonly last_by_subj: string },
  { genesisHash }: ChainIdentity,
): Promise<ChainRecord | null> {
  const message = await manager.streams.getMessage(stream, query).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === noMessage) return null;
    throw error;
  });
  if (message === null) return null;
  const record = decodeRecord(message.string());
  const genesis = message.header.get(genesisHeader);
  if (record === null || genesis === '')
    throw damaged(`stream ${stream}`, `message ${message.seq} is no record of a chain; something else writes there`);
  if (genesis !== genesisHash) throw otherChain(`stream ${stream}`, genesis, genesisHash);
  return record;
}
