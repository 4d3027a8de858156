import { describe, expect, it } from '@jest/globals';
import type { Block, CommitCertificate, Evidence, Header, Proposal, Vote } from '@prime/codec';
import { headerHash } from '@prime/codec';
import type { PeerMessage } from '@prime/engine';
import {
  type Address,
  bytesToHex,
  type Hash,
  type Height,
  noRound,
  type Round,
  type TimestampMs,
} from '@prime/primitives';
import fc from 'fast-check';
import { NetworkError } from '../errors.ts';
import { type FrameName, frameKinds } from './frame.ts';
import { decodeMessage, encodeMessage, type MessageFrameName } from './messages.ts';

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const hash = bytes(32).map((value) => bytesToHex(value) as Hash);
const address = bytes(20).map((value) => bytesToHex(value) as Address);
const uint = (bits: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
const height = fc.maxSafeNat().map((value) => value as Height);
const round = fc.nat(0x7fffffff).map((value) => value as Round);
const signature = bytes(65);
const raw = fc.uint8Array({ maxLength: 80 });
const raws = fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 4 });

const header: fc.Arbitrary<Header> = fc.record({
  version: fc.nat(0xffffffff),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  height,
  timestampMs: fc.maxSafeNat().map((value) => value as TimestampMs),
  parentHash: hash,
  proposer: address,
  validatorsHash: hash,
  nextValidatorsHash: hash,
  bodyRoot: hash,
  lastCommitHash: hash,
  evidenceHash: hash,
  gasLimit: uint(64),
  baseFee: uint(256),
  parentResults: fc.record({ stateRoot: hash, receiptsRoot: hash, eventsRoot: hash, gasUsed: uint(64) }),
});
const vote: fc.Arbitrary<Vote> = fc.record({
  type: fc.constantFrom('prevote' as const, 'precommit' as const),
  height,
  round,
  blockHash: fc.option(hash),
  validator: address,
  signature,
});
const proposal: fc.Arbitrary<Proposal> = fc.record({
  height,
  round,
  polRound: fc.oneof(fc.constant(noRound), round),
  blockHash: hash,
  proposer: address,
  signature,
});
const certificate: fc.Arbitrary<CommitCertificate> = fc.record({
  height,
  round,
  blockHash: hash,
  signatures: fc.array(fc.record({ validator: address, signature }), { maxLength: 4 }),
});
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({ kind: fc.constant('duplicateVote' as const), first: vote, second: vote }),
  fc.record({ kind: fc.constant('duplicateProposal' as const), first: proposal, second: proposal }),
);
const block: fc.Arbitrary<Block> = fc.record({
  header,
  transactions: raws,
  actions: raws,
  evidence: fc.array(evidence, { maxLength: 2 }),
  lastCommit: fc.option(certificate),
});
const storedBlock = fc
  .record({ block, certificate })
  .map((stored) => ({ ...stored, hash: headerHash(stored.block.header) }));
const kind = <K extends PeerMessage['kind']>(name: K): fc.Arbitrary<K> => fc.constant(name);

const messages: { readonly [K in PeerMessage['kind']]: fc.Arbitrary<PeerMessage & { readonly kind: K }> } = {
  vote: fc.record({ kind: kind('vote'), vote }),
  voteCertificate: fc.record({ kind: kind('voteCertificate'), votes: fc.array(vote, { maxLength: 4 }) }),
  proposal: fc.record({
    kind: kind('proposal'),
    proposal,
    header,
    evidence: fc.array(evidence, { maxLength: 2 }),
    lastCommit: fc.option(certificate),
    transactionHashes: fc.array(hash, { maxLength: 4 }),
    actionHashes: fc.array(hash, { maxLength: 4 }),
    bodies: fc.option(fc.record({ transactions: raws, actions: raws })),
  }),
  evidence: fc.record({ kind: kind('evidence'), evidence: fc.array(evidence, { maxLength: 4 }) }),
  bodiesRequest: fc.record({ kind: kind('bodiesRequest'), blockHash: hash, hashes: fc.array(hash, { maxLength: 4 }) }),
  bodies: fc.record({ kind: kind('bodies'), blockHash: hash, transactions: raws, actions: raws }),
  transactions: fc.record({ kind: kind('transactions'), raws }),
  pooledHashes: fc.record({
    kind: kind('pooledHashes'),
    transactions: fc.array(hash, { maxLength: 4 }),
    actions: fc.array(hash, { maxLength: 4 }),
  }),
  pooledRequest: fc.record({
    kind: kind('pooledRequest'),
    transactions: fc.array(hash, { maxLength: 4 }),
    actions: fc.array(hash, { maxLength: 4 }),
  }),
  actions: fc.record({ kind: kind('actions'), raws }),
  status: fc.record({
    kind: kind('status'),
    height,
    round: fc.oneof(fc.constant(noRound), round),
    head: height,
    base: height,
  }),
  actionRequest: fc.record({ kind: kind('actionRequest'), requestId: fc.maxSafeNat(), unsigned: raw }),
  actionAnswer: fc.record({
    kind: kind('actionAnswer'),
    requestId: fc.maxSafeNat(),
    result: fc.oneof(fc.record({ hash }), fc.record({ code: fc.string(), message: fc.string() })),
  }),
  blocksRequest: fc.record({
    kind: kind('blocksRequest'),
    requestId: fc.maxSafeNat(),
    from: height,
    count: fc.maxSafeNat(),
  }),
  blocks: fc.record({
    kind: kind('blocks'),
    requestId: fc.maxSafeNat(),
    blocks: fc.array(storedBlock, { maxLength: 2 }),
  }),
  snapshotsRequest: fc.record({ kind: kind('snapshotsRequest'), requestId: fc.maxSafeNat() }),
  snapshots: fc.record({ kind: kind('snapshots'), requestId: fc.maxSafeNat(), manifests: raws }),
  chunkRequest: fc.record({
    kind: kind('chunkRequest'),
    requestId: fc.maxSafeNat(),
    snapshot: hash,
    height,
    index: fc.maxSafeNat(),
  }),
  chunk: fc.record({ kind: kind('chunk'), requestId: fc.maxSafeNat(), bytes: raw }),
  headersRequest: fc.record({
    kind: kind('headersRequest'),
    requestId: fc.maxSafeNat(),
    from: height,
    count: fc.maxSafeNat(),
  }),
  headers: fc.record({
    kind: kind('headers'),
    requestId: fc.maxSafeNat(),
    headers: fc.array(header, { maxLength: 3 }),
    certificate: fc.option(certificate),
    validators: fc.constantFrom(null, { validators: [] }),
  }),
};
const kinds = Object.keys(messages) as PeerMessage['kind'][];
const messageNames = (Object.keys(frameKinds) as FrameName[]).filter(
  (name): name is MessageFrameName => frameKinds[name].channel !== 'control',
);

const payloadOf = (frame: { readonly bytes: Uint8Array }): Uint8Array => frame.bytes.subarray(6);

/** The message, or null after a NetworkError; anything else that is thrown fails the test. */
function decodeOrNull(name: MessageFrameName, payload: Uint8Array): PeerMessage | null {
  try {
    return decodeMessage(name, payload);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    expect(error.code).toBe('NETWORK_MESSAGE_MALFORMED');
    return null;
  }
}

describe('messages', () => {
  it.each(kinds)('%s comes back equal', (name) => {
    fc.assert(
      fc.property(messages[name] as fc.Arbitrary<PeerMessage>, (message) => {
        const frames = encodeMessage(message);
        expect(frames).toHaveLength(1);
        expect(decodeMessage(name, payloadOf(frames[0]!))).toEqual(message);
      }),
      { numRuns: 40 },
    );
  });

  it('every frame of a channel other than control is a message of the engine', () => {
    expect(messageNames.toSorted()).toEqual(kinds.toSorted());
  });

  it('decoded payloads do not hold on to the buffer that they came in', () => {
    const [frame] = encodeMessage({ kind: 'transactions', raws: [new Uint8Array(100).fill(1)] });
    const payload = new Uint8Array(payloadOf(frame!));
    const message = decodeMessage('transactions', payload);
    payload.fill(0);
    expect(message).toEqual({ kind: 'transactions', raws: [new Uint8Array(100).fill(1)] });
  });

  it('bodies above 80 KiB are split into messages of their own that together hold all, a larger single body goes alone', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 128 * 1024 }), { maxLength: 12 });
    fc.assert(
      fc.property(hash, sizes, sizes, (blockHash, transactionSizes, actionSizes) => {
        const make = (list: number[]): Uint8Array[] => list.map((size, index) => new Uint8Array(size).fill(index));
        const message = {
          kind: 'bodies' as const,
          blockHash,
          transactions: make(transactionSizes),
          actions: make(actionSizes),
        };
        const parts = encodeMessage(message).map((frame) => {
          const part = decodeMessage('bodies', payloadOf(frame)) as typeof message;
          if (part.transactions.length + part.actions.length > 1)
            expect(payloadOf(frame).length).toBeLessThanOrEqual(80 * 1024);
          return part;
        });
        // Buffer's comparison: the matcher's is a hundred times slower on megabytes.
        for (const list of ['transactions', 'actions'] as const) {
          const received = parts.flatMap((part) => part[list]);
          expect(received).toHaveLength(message[list].length);
          expect(received.every((raw, index) => Buffer.compare(raw, message[list][index]!) === 0)).toBe(true);
        }
        expect(parts.every((part) => part.blockHash === blockHash)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('a request for more hashes than a frame holds becomes several requests', () => {
    const hashes = Array.from({ length: 6_000 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}` as Hash);
    const message = { kind: 'bodiesRequest' as const, blockHash: hashes[0]!, hashes };
    const parts = encodeMessage(message).map((frame) => decodeMessage('bodiesRequest', payloadOf(frame)));
    expect(parts).toHaveLength(3);
    expect(parts.flatMap((part) => (part.kind === 'bodiesRequest' ? part.hashes : []))).toEqual(hashes);
  });

  it('the largest transaction fits a gossip frame', () => {
    const message = { kind: 'transactions' as const, raws: [new Uint8Array(128 * 1024)] };
    expect(encodeMessage(message)).toHaveLength(1);
  });

  it('what does not fit its frame is refused by the encoder', () => {
    const message = { kind: 'transactions' as const, raws: [new Uint8Array(130 * 1024)] };
    expect(() => encodeMessage(message)).toThrow(NetworkError);
  });
});

describe('decoding of hostile bytes', () => {
  it.each(messageNames)(
    '%s: arbitrary bytes give a message with that very encoding, or NETWORK_MESSAGE_MALFORMED',
    (name) => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), (payload) => {
          const message = decodeOrNull(name, payload);
          expect(message === null ? payload : payloadOf(encodeMessage(message)[0]!)).toEqual(payload);
        }),
        { numRuns: 200 },
      );
    },
  );

  it.each(messageNames)(
    '%s: a changed, cut or extended message is another message or NETWORK_MESSAGE_MALFORMED',
    (name) => {
      const change = fc.oneof(
        fc.record({ op: fc.constant('flip' as const), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) }),
        fc.record({ op: fc.constant('cut' as const), at: fc.nat(), by: fc.integer({ min: 1, max: 9 }) }),
        fc.record({ op: fc.constant('insert' as const), at: fc.nat(), by: fc.nat(255) }),
      );
      fc.assert(
        fc.property(messages[name] as fc.Arbitrary<PeerMessage>, change, (message, { op, at, by }) => {
          const original = [...payloadOf(encodeMessage(message)[0]!)];
          const changed = [...original];
          const place = at % original.length;
          if (op === 'flip') changed[place]! ^= by;
          else if (op === 'cut') changed.splice(place, by);
          else changed.splice(place, 0, by);
          const decoded = decodeOrNull(name, Uint8Array.from(changed));
          // One encoding per message: other bytes can not mean the same.
          expect(decoded === null ? changed : [...payloadOf(encodeMessage(decoded)[0]!)]).toEqual(changed);
        }),
        { numRuns: 150 },
      );
    },
  );
});
