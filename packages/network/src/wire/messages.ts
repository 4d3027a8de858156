import {
  decodeCommitCertificate,
  decodeEvidence,
  decodeHeader,
  decodeProposal,
  decodeStoredBlock,
  decodeValidatorSet,
  decodeVote,
  encodeCommitCertificate,
  encodeEvidence,
  encodeHeader,
  encodeProposal,
  encodeRlp,
  encodeStoredBlock,
  encodeValidatorSet,
  encodeVote,
  type RlpValue,
} from '@prime/codec';
import type { PeerMessage, ProposalMessage } from '@prime/engine';
import { bytesToUtf8, type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import {
  bytes,
  coded,
  decodeWith,
  type Field,
  fieldReader,
  guarded,
  hash,
  hashes,
  integer,
  listOf,
  only,
  optional,
  payloads,
  round,
  tuple,
} from './fields.ts';
import { bodiesPayloadBytes, encodeFrame, type FrameName, type OutgoingFrame } from './frame.ts';

/**
 * Payloads of the messages between engines, in canonical RLP. What consensus hashes or signs (votes, proposals, headers, blocks,
 * certificates, evidence) is embedded as the byte string that the codec package makes, so that there is one definition
 * of it; lists around it are plain. docs/protocol/p2p.md has the layouts.
 */

/** RLP headers of the lists around split bodies, and the block hash. */
const splitOverheadBytes = 64;
const hashItemBytes = 33;

/** What a message holds besides its kind. */
type ContentOf<Kind extends PeerMessage['kind']> = Omit<Extract<PeerMessage, { readonly kind: Kind }>, 'kind'>;

const requestId = integer();
const height = integer<Height>();
const header = coded(encodeHeader, decodeHeader);
const evidence = listOf(coded(encodeEvidence, decodeEvidence));
const certificate = optional(coded(encodeCommitCertificate, decodeCommitCertificate));
const pooled = tuple<{ readonly transactions: readonly Hash[]; readonly actions: readonly Hash[] }>({
  transactions: hashes,
  actions: hashes,
});

/** A pair of lists, or an empty list where they come on their own. */
const inlineBodies: Field<ProposalMessage['bodies']> = {
  write: (bodies) => (bodies === null ? [] : [bodies.transactions, bodies.actions]),
  read(item, read) {
    const inline = read.list(item);
    if (inline.length !== 0 && inline.length !== 2) return read.fail('bodies are a pair or nothing');
    return inline.length === 0 ? null : { transactions: read.payloads(inline[0]), actions: read.payloads(inline[1]) };
  },
};

const actionAnswer: Field<ContentOf<'actionAnswer'>> = {
  write: ({ requestId: id, result }) => [
    id,
    ...('hash' in result ? [result.hash] : [utf8ToBytes(result.code), utf8ToBytes(result.message)]),
  ],
  read(item, read) {
    const [id, ...fields] = read.list(item);
    if (fields.length !== 1 && fields.length !== 2) return read.fail('an answer is a hash, or code and words');
    const [first, words] = fields;
    const result =
      words === undefined
        ? { hash: read.hash(first) }
        : { code: bytesToUtf8(read.bytes(first)), message: bytesToUtf8(read.bytes(words)) };
    return { requestId: read.integer(id), result };
  },
};

/** Every message but the vote, which is the byte string of the codec package alone. */
const formats: { readonly [Kind in Exclude<PeerMessage['kind'], 'vote'>]: Field<ContentOf<Kind>> } = {
  voteCertificate: only('votes', listOf(coded(encodeVote, decodeVote))),
  proposal: tuple({
    proposal: coded(encodeProposal, decodeProposal),
    header,
    evidence,
    lastCommit: certificate,
    transactionHashes: hashes,
    actionHashes: hashes,
    bodies: inlineBodies,
  }),
  evidence: only('evidence', evidence),
  bodiesRequest: tuple({ blockHash: hash, hashes }),
  bodies: tuple({ blockHash: hash, transactions: payloads, actions: payloads }),
  transactions: only('raws', payloads),
  actions: only('raws', payloads),
  pooledHashes: pooled,
  pooledRequest: pooled,
  status: tuple({ height, round, head: height, base: height }),
  actionRequest: tuple({ requestId, unsigned: bytes }),
  actionAnswer,
  blocksRequest: tuple({ requestId, from: height, count: integer() }),
  blocks: tuple({ requestId, blocks: listOf(coded(encodeStoredBlock, decodeStoredBlock)) }),
  snapshotsRequest: tuple({ requestId }),
  snapshots: tuple({ requestId, manifests: payloads }),
  chunkRequest: tuple({ requestId, snapshot: hash, height, index: integer() }),
  chunk: tuple({ requestId, bytes }),
  headersRequest: tuple({ requestId, from: height, count: integer() }),
  headers: tuple({
    requestId,
    headers: listOf(header),
    certificate,
    validators: optional(coded(encodeValidatorSet, decodeValidatorSet)),
  }),
};

/**
 * One frame, or several for bodies and for long lists of wanted hashes: each of these is a message of its own on the other
 * side, so nothing has to be put together there.
 *
 * @throws NetworkError `NETWORK_FRAME_TOO_LARGE` when a part that can not be split is larger than its frame
 * @throws CodecError `CODEC_FIELD_INVALID` for a value that has no encoding
 */
export function encodeMessage(message: PeerMessage): OutgoingFrame[] {
  switch (message.kind) {
    case 'vote':
      return [encodeFrame('vote', encodeVote(message.vote))];
    case 'bodiesRequest':
      return splitHashes(message.hashes).map((part) => framed({ ...message, hashes: part }));
    case 'bodies':
      return splitBodies(message).map((part) => framed({ ...message, ...part }));
    default:
      return [framed(message)];
  }
}

function framed(message: Exclude<PeerMessage, { readonly kind: 'vote' }>): OutgoingFrame {
  const { write } = formats[message.kind] as { readonly write: (content: typeof message) => RlpValue };
  return encodeFrame(message.kind, encodeRlp(write(message)));
}

function splitHashes(hashes: readonly Hash[]): (readonly Hash[])[] {
  const perFrame = Math.floor((bodiesPayloadBytes - splitOverheadBytes) / hashItemBytes);
  const parts: (readonly Hash[])[] = [];
  for (let from = 0; from < hashes.length || from === 0; from += perFrame)
    parts.push(hashes.slice(from, from + perFrame));
  return parts;
}

interface BodiesPart {
  readonly transactions: Uint8Array[];
  readonly actions: Uint8Array[];
}

function splitBodies(message: PeerMessage & { readonly kind: 'bodies' }): BodiesPart[] {
  let part: BodiesPart = { transactions: [], actions: [] };
  const parts = [part];
  let bytes = splitOverheadBytes;
  const add = (list: 'transactions' | 'actions', raw: Uint8Array): void => {
    const size = raw.length + 4;
    if (bytes + size > bodiesPayloadBytes && part.transactions.length + part.actions.length > 0) {
      part = { transactions: [], actions: [] };
      parts.push(part);
      bytes = splitOverheadBytes;
    }
    part[list].push(raw);
    bytes += size;
  };
  for (const raw of message.transactions) add('transactions', raw);
  for (const raw of message.actions) add('actions', raw);
  return parts;
}

/** Frames that carry a message of the engine; the others belong to the connection. */
export type MessageFrameName = Exclude<FrameName, 'hello' | 'ping' | 'pong' | 'bye'>;

/**
 * Decodes strictly: exactly one canonical encoding of each message, no trailing bytes. Payloads are copied out of the input.
 *
 * @throws NetworkError `NETWORK_MESSAGE_MALFORMED`, and nothing else for any input
 */
export function decodeMessage(name: MessageFrameName, payload: Uint8Array): PeerMessage {
  if (name === 'vote') return guarded(name, () => ({ kind: name, vote: decodeVote(payload) }));
  const { read } = formats[name] as Field<object>;
  return decodeWith(name, payload, (item) => ({ kind: name, ...read(item, fieldReader(name)) }) as PeerMessage);
}
