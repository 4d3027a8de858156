import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { cryptoProvider, keccakHex, publicKeyToAddress, recoverAddress } from '@prime/crypto';
import { bytesToHex, type Hash, hexToBytes } from '@prime/primitives';
import { actionTypeCode } from './actions/actionPayload.ts';
import { bodyRoot, decodeBlock, encodeBlock } from './consensus/block.ts';
import { decodeEvent, encodeEvent, eventToJson } from './outcomes/events.ts';
import { eventTable } from './outcomes/eventTable.ts';
import { encodeEventFrames, eventsRoot } from './outcomes/eventFrames.ts';
import { decodeGenesis, encodeGenesis, genesisHash } from './genesis/genesis.ts';
import { decodeHeader, encodeHeader, headerHash } from './consensus/header.ts';
import {
  decodeNativeTransaction,
  encodeNativeTransaction,
  nativeSigningDigest,
  nativeTransactionHash,
  verifyNativeTransaction,
} from './actions/nativeTransaction.ts';
import { proposalSignBytes, proposalSignDigest, voteSignBytes, voteSignDigest } from './consensus/signBytes.ts';
import { typedDataDigest, typedDataOf, typedDataTypeString } from './actions/typedData.ts';
import { decodeValidatorSet, encodeValidatorSet, validatorsHash } from './consensus/validators.ts';
import {
  decodeCommitCertificate,
  decodeEvidence,
  decodeProposal,
  decodeVote,
  encodeCommitCertificate,
  encodeEvidence,
  encodeProposal,
  encodeVote,
  evidenceHash,
  lastCommitHash,
} from './consensus/votes.ts';

/** The published vectors: values as JSON (bytes as hex, big integers as decimal text) beside their encodings and hashes. */
interface Vector {
  readonly name: string;
  readonly value: unknown;
  readonly encoded: string;
  readonly [extra: string]: unknown;
}

const provider = await cryptoProvider();

const load = (name: string): readonly Vector[] =>
  (JSON.parse(readFileSync(new URL(`../testdata/${name}.json`, import.meta.url), 'utf8')) as { vectors: Vector[] })
    .vectors;

const asJson = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, entry: unknown) =>
      typeof entry === 'bigint'
        ? entry.toString()
        : ArrayBuffer.isView(entry)
          ? bytesToHex(entry as Uint8Array)
          : entry,
    ),
  );

/** The bytes decode to the published value and the decoded value encodes to the published bytes. */
function check<T>(vector: Vector, decode: (bytes: Uint8Array) => T, encode: (value: T) => Uint8Array): T {
  const value = decode(hexToBytes(vector.encoded));
  expect([vector.name, asJson(value)]).toEqual([vector.name, vector.value]);
  expect([vector.name, bytesToHex(encode(value))]).toEqual([vector.name, vector.encoded]);
  return value;
}

describe('published vectors', () => {
  it('header', () => {
    const vectors = load('header');
    for (const vector of vectors) expect(headerHash(check(vector, decodeHeader, encodeHeader))).toBe(vector['hash']);
    expect(vectors.length).toBeGreaterThan(2);
  });

  it('block', () => {
    for (const vector of load('block')) {
      const block = check(vector, decodeBlock, encodeBlock);
      expect(headerHash(block.header)).toBe(vector['hash']);
      expect(block.transactions.map(keccakHex)).toEqual(vector['transactionHashes']);
      expect(block.actions.map(keccakHex)).toEqual(vector['actionHashes']);
      expect(bodyRoot(vector['transactionHashes'] as Hash[], vector['actionHashes'] as Hash[])).toBe(
        block.header.bodyRoot,
      );
      expect(lastCommitHash(block.lastCommit)).toBe(block.header.lastCommitHash);
      expect(evidenceHash(block.evidence)).toBe(block.header.evidenceHash);
    }
  });

  it('vote, its sign bytes and its signature', () => {
    for (const vector of load('vote')) {
      const vote = check(vector, decodeVote, encodeVote);
      const [chainId, genesis] = [vector['chainId'] as number, vector['genesisHash'] as Hash];
      const digest = voteSignDigest(chainId, genesis, vote);
      expect(bytesToHex(voteSignBytes(chainId, genesis, vote))).toBe(vector['signBytes']);
      expect(bytesToHex(digest)).toBe(vector['digest']);
      expect(provider.verify(digest, vote.signature, hexToBytes(vector['publicKey'] as string))).toBe(true);
    }
  });

  it('proposal, its sign bytes and its signature', () => {
    for (const vector of load('proposal')) {
      const proposal = check(vector, decodeProposal, encodeProposal);
      const [chainId, genesis] = [vector['chainId'] as number, vector['genesisHash'] as Hash];
      const digest = proposalSignDigest(chainId, genesis, proposal);
      expect(bytesToHex(proposalSignBytes(chainId, genesis, proposal))).toBe(vector['signBytes']);
      expect(bytesToHex(digest)).toBe(vector['digest']);
      expect(recoverAddress(provider, digest, proposal.signature)).toBe(
        publicKeyToAddress(hexToBytes(vector['publicKey'] as string)),
      );
    }
  });

  it('certificate', () => {
    for (const vector of load('certificate')) {
      expect(lastCommitHash(check(vector, decodeCommitCertificate, encodeCommitCertificate))).toBe(vector['hash']);
      expect(lastCommitHash(null)).toBe(vector['emptyHash']);
    }
  });

  it('evidence', () => {
    for (const vector of load('evidence'))
      expect(evidenceHash([check(vector, decodeEvidence, encodeEvidence)])).toBe(vector['listHash']);
  });

  it('validators', () => {
    for (const vector of load('validators'))
      expect(validatorsHash(check(vector, decodeValidatorSet, encodeValidatorSet).validators)).toBe(vector['hash']);
  });

  it('native transactions of all types, their digests and signers', () => {
    const types = new Set<string>();
    for (const vector of load('nativeTransaction')) {
      const transaction = check(vector, decodeNativeTransaction, encodeNativeTransaction);
      types.add(transaction.payload.type);
      const raw = hexToBytes(vector.encoded);
      expect(nativeTransactionHash(raw)).toBe(vector['hash']);
      const verified = verifyNativeTransaction(raw, transaction.chainId, provider);
      expect([vector.name, bytesToHex(nativeSigningDigest(transaction))]).toEqual([vector.name, vector['digest']]);
      expect(verified).toMatchObject({ signer: vector['signer'], hash: vector['hash'] });
    }
    expect(types).toEqual(new Set(Object.keys(actionTypeCode)));
  });

  it('typed data of all types: type strings, messages, digests and signers', () => {
    const types = new Set<string>();
    for (const vector of load('typedData')) {
      const transaction = check(vector, decodeNativeTransaction, encodeNativeTransaction);
      const { type } = transaction.payload;
      types.add(type);
      expect(typedDataTypeString(type)).toBe(vector['type']);
      expect(asJson(typedDataOf(transaction).message)).toEqual(vector['message']);
      expect([vector.name, bytesToHex(typedDataDigest(transaction))]).toEqual([vector.name, vector['digest']]);
      const verified = verifyNativeTransaction(hexToBytes(vector.encoded), transaction.chainId, provider);
      expect(verified).toMatchObject({ signer: vector['signer'], hash: vector['hash'] });
    }
    expect(types).toEqual(new Set(Object.keys(actionTypeCode)));
  });

  it('events of all kinds, their JSON and their root', () => {
    const vectors = load('events');
    const events = vectors
      .filter((vector) => vector.encoded !== undefined)
      .map((vector) => {
        const event = check(vector, decodeEvent, encodeEvent);
        expect(eventToJson(event).data).toEqual(vector['json']);
        return event;
      });
    expect(new Set(events.map((event) => event.kind))).toEqual(new Set(Object.keys(eventTable)));
    const last = vectors.at(-1)!;
    expect(eventsRoot(encodeEventFrames(events))).toBe(last['root']);
    expect(eventsRoot(encodeEventFrames([]))).toBe(last['emptyRoot']);
  });

  it('genesis', () => {
    for (const vector of load('genesis'))
      expect(genesisHash(check(vector, decodeGenesis, encodeGenesis))).toBe(vector['hash']);
  });
});
