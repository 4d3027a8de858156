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
  type RlpItem,
} from '@prime/codec';
import type { PeerMessage, ProposalMessage } from '@prime/engine';
import { bytesToUtf8, type Hash, type Height, noRound, type Round, unreachable, utf8ToBytes } from '@prime/primitives';
import { malformedMessage } from '../errors.ts';
import { decodeWith, fieldReader, guarded } from './fields.ts';
import { bodiesPayloadBytes, encodeFrame, type FrameName, type OutgoingFrame } from './frame.ts';

/**
 * Payloads of the messages between engines, in canonical RLP. What consensus hashes or signs (votes, proposals, headers, blocks,
 * certificates, evidence) is embedded as the byte string that the codec package makes, so that there is one definition
 * of it; lists around it are plain. docs/protocol/p2p.md has the layouts.
 */

const roundMax = 0x7fffffff;
/** RLP headers of the lists around split bodies, and the block hash. */
const splitOverheadBytes = 64;
const hashItemBytes = 33;

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
    case 'voteCertificate':
      return [encodeFrame('voteCertificate', encodeRlp(message.votes.map(encodeVote)))];
    case 'proposal':
      return [encodeFrame('proposal', encodeProposalMessage(message))];
    case 'evidence':
      return [encodeFrame('evidence', encodeRlp(message.evidence.map(encodeEvidence)))];
    case 'bodiesRequest':
      return splitHashes(message.hashes).map((hashes) =>
        encodeFrame('bodiesRequest', encodeRlp([message.blockHash, hashes])),
      );
    case 'bodies':
      return splitBodies(message).map(({ transactions, actions }) =>
        encodeFrame('bodies', encodeRlp([message.blockHash, transactions, actions])),
      );
    case 'transactions':
    case 'actions':
      return [encodeFrame(message.kind, encodeRlp(message.raws))];
    case 'pooledHashes':
    case 'pooledRequest':
      return [encodeFrame(message.kind, encodeRlp([message.transactions, message.actions]))];
    case 'status':
      return [encodeFrame('status', encodeRlp([message.height, message.round - noRound, message.head, message.base]))];
    case 'actionRequest':
      return [encodeFrame('actionRequest', encodeRlp([message.requestId, message.unsigned]))];
    case 'actionAnswer': {
      const { requestId, result } = message;
      const fields = 'hash' in result ? [result.hash] : [utf8ToBytes(result.code), utf8ToBytes(result.message)];
      return [encodeFrame('actionAnswer', encodeRlp([requestId, ...fields]))];
    }
    case 'blocksRequest':
      return [encodeFrame('blocksRequest', encodeRlp([message.requestId, message.from, message.count]))];
    case 'blocks':
      return [encodeFrame('blocks', encodeRlp([message.requestId, message.blocks.map(encodeStoredBlock)]))];
    case 'snapshotsRequest':
      return [encodeFrame('snapshotsRequest', encodeRlp([message.requestId]))];
    case 'snapshots':
      return [encodeFrame('snapshots', encodeRlp([message.requestId, message.manifests]))];
    case 'chunkRequest': {
      const { requestId, snapshot, height, index } = message;
      return [encodeFrame('chunkRequest', encodeRlp([requestId, snapshot, height, index]))];
    }
    case 'chunk':
      return [encodeFrame('chunk', encodeRlp([message.requestId, message.bytes]))];
    case 'headersRequest':
      return [encodeFrame('headersRequest', encodeRlp([message.requestId, message.from, message.count]))];
    case 'headers':
      return [encodeFrame('headers', encodeHeaders(message))];
    default:
      return unreachable(message);
  }
}

function encodeProposalMessage(message: ProposalMessage): Uint8Array {
  const { bodies, lastCommit } = message;
  return encodeRlp([
    encodeProposal(message.proposal),
    encodeHeader(message.header),
    message.evidence.map(encodeEvidence),
    lastCommit === null ? new Uint8Array(0) : encodeCommitCertificate(lastCommit),
    message.transactionHashes,
    message.actionHashes,
    bodies === null ? [] : [bodies.transactions, bodies.actions],
  ]);
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
  if (name === 'evidence')
    return decodeWith(name, payload, (item) => {
      const read = fieldReader(name);
      return { kind: name, evidence: read.list(item).map((piece) => decodeEvidence(read.bytes(piece))) };
    });
  return decodeWith(name, payload, (item) => decodeItem(name, item));
}

function decodeItem(name: Exclude<MessageFrameName, 'vote' | 'evidence'>, item: RlpItem): PeerMessage {
  const read = fieldReader(name);
  switch (name) {
    case 'voteCertificate':
      return { kind: name, votes: read.list(item).map((vote) => decodeVote(read.bytes(vote))) };
    case 'proposal':
      return decodeProposalMessage(item);
    case 'bodiesRequest': {
      const [blockHash, hashes] = read.tuple(item, 2);
      return { kind: name, blockHash: read.hash(blockHash), hashes: read.hashes(hashes) };
    }
    case 'bodies': {
      const [blockHash, transactions, actions] = read.tuple(item, 3);
      return {
        kind: name,
        blockHash: read.hash(blockHash),
        transactions: read.payloads(transactions),
        actions: read.payloads(actions),
      };
    }
    case 'transactions':
    case 'actions':
      return { kind: name, raws: read.payloads(item) };
    case 'pooledHashes':
    case 'pooledRequest': {
      const [transactions, actions] = read.tuple(item, 2);
      return { kind: name, transactions: read.hashes(transactions), actions: read.hashes(actions) };
    }
    case 'status': {
      const [height, round, head, base] = read.tuple(item, 4);
      return {
        kind: name,
        height: read.integer(height) as Height,
        // Shifted by one: a node that waits for its height to begin is in round -1.
        round: (read.integer(round, roundMax + 1) + noRound) as Round,
        head: read.integer(head) as Height,
        base: read.integer(base) as Height,
      };
    }
    case 'actionRequest': {
      const [requestId, unsigned] = read.tuple(item, 2);
      return { kind: name, requestId: read.integer(requestId), unsigned: new Uint8Array(read.bytes(unsigned)) };
    }
    case 'actionAnswer': {
      const [requestId, ...fields] = read.list(item);
      if (fields.length !== 1 && fields.length !== 2)
        throw malformedMessage(name, 'an answer is a hash, or code and words');
      const [first, words] = fields;
      const result =
        words === undefined
          ? { hash: read.hash(first) }
          : { code: bytesToUtf8(read.bytes(first)), message: bytesToUtf8(read.bytes(words)) };
      return { kind: name, requestId: read.integer(requestId), result };
    }
    case 'blocksRequest':
    case 'blocks':
    case 'snapshotsRequest':
    case 'snapshots':
    case 'chunkRequest':
    case 'chunk':
    case 'headersRequest':
    case 'headers':
      return decodeSyncItem(name, item);
    default:
      return unreachable(name);
  }
}

type SyncKind = (PeerMessage & {
  readonly kind: `${'blocks' | 'snapshots' | 'chunk' | 'headers'}${'' | 'Request'}`;
})['kind'];

function decodeSyncItem(name: SyncKind, item: RlpItem): PeerMessage {
  const read = fieldReader(name);
  switch (name) {
    case 'blocksRequest': {
      const [requestId, from, count] = read.tuple(item, 3);
      return {
        kind: name,
        requestId: read.integer(requestId),
        from: read.integer(from) as Height,
        count: read.integer(count),
      };
    }
    case 'blocks': {
      const [requestId, blocks] = read.tuple(item, 2);
      return {
        kind: name,
        requestId: read.integer(requestId),
        blocks: read.list(blocks).map((block) => decodeStoredBlock(read.bytes(block))),
      };
    }
    case 'snapshotsRequest': {
      const [requestId] = read.tuple(item, 1);
      return { kind: name, requestId: read.integer(requestId) };
    }
    case 'snapshots': {
      const [requestId, manifests] = read.tuple(item, 2);
      return { kind: name, requestId: read.integer(requestId), manifests: read.payloads(manifests) };
    }
    case 'chunkRequest': {
      const [requestId, snapshot, height, index] = read.tuple(item, 4);
      return {
        kind: name,
        requestId: read.integer(requestId),
        snapshot: read.hash(snapshot),
        height: read.integer(height) as Height,
        index: read.integer(index),
      };
    }
    case 'chunk': {
      const [requestId, bytes] = read.tuple(item, 2);
      return { kind: name, requestId: read.integer(requestId), bytes: new Uint8Array(read.bytes(bytes)) };
    }
    case 'headersRequest': {
      const [requestId, from, count] = read.tuple(item, 3);
      return {
        kind: name,
        requestId: read.integer(requestId),
        from: read.integer(from) as Height,
        count: read.integer(count),
      };
    }
    case 'headers':
      return decodeHeaders(item);
    default:
      return unreachable(name);
  }
}

const nothing = new Uint8Array(0);

const encodeHeaders = ({
  requestId,
  headers,
  certificate,
  validators,
}: PeerMessage & { readonly kind: 'headers' }): Uint8Array =>
  encodeRlp([
    requestId,
    headers.map(encodeHeader),
    certificate === null ? nothing : encodeCommitCertificate(certificate),
    validators === null ? nothing : encodeValidatorSet(validators),
  ]);

function decodeHeaders(item: RlpItem): PeerMessage & { readonly kind: 'headers' } {
  const read = fieldReader('headers');
  const [requestId, headers, certificate, validators] = read.tuple(item, 4);
  const [seal, set] = [read.bytes(certificate), read.bytes(validators)];
  return {
    kind: 'headers',
    requestId: read.integer(requestId),
    headers: read.list(headers).map((header) => decodeHeader(read.bytes(header))),
    certificate: seal.length === 0 ? null : decodeCommitCertificate(seal),
    validators: set.length === 0 ? null : decodeValidatorSet(set),
  };
}

function decodeProposalMessage(item: RlpItem): ProposalMessage {
  const read = fieldReader('proposal');
  const [proposal, header, evidence, lastCommit, transactionHashes, actionHashes, bodies] = read.tuple(item, 7);
  const certificate = read.bytes(lastCommit);
  const inline = read.list(bodies);
  if (inline.length !== 0 && inline.length !== 2) throw malformedMessage('proposal', 'bodies are a pair or nothing');
  return {
    kind: 'proposal',
    proposal: decodeProposal(read.bytes(proposal)),
    header: decodeHeader(read.bytes(header)),
    evidence: read.list(evidence).map((entry) => decodeEvidence(read.bytes(entry))),
    lastCommit: certificate.length === 0 ? null : decodeCommitCertificate(certificate),
    transactionHashes: read.hashes(transactionHashes),
    actionHashes: read.hashes(actionHashes),
    bodies: inline.length === 0 ? null : { transactions: read.payloads(inline[0]), actions: read.payloads(inline[1]) },
  };
}
