import { voteSignBytes } from '@prime/codec';
import type { LockState, SignStateRecord } from '@prime/engine';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { SignerMessage } from '../signer/messages.ts';

const hash = (byte: string): Hash => `0x${byte.repeat(32)}` as Hash;
const key = `0x${'1b'.repeat(20)}` as Address;
const [chainId, genesisHash] = [7919, hash('99')];
const lock: LockState = {
  lockedRound: 0 as Round,
  lockedValue: hash('01'),
  validRound: -1 as Round,
  validValue: null,
};
const place = { height: 5 as Height, round: 1 as Round };
const signBytes = voteSignBytes(chainId, genesisHash, { ...place, type: 'precommit', blockHash: hash('01') });
const record: SignStateRecord = { ...place, step: 3, signBytes, signature: new Uint8Array(65).fill(7), ...lock };

/** One of each kind, in the order of testdata/signer.json. */
export const signerMessages: readonly SignerMessage[] = [
  { kind: 'hello', version: 1, chainId, genesisHash, newest: null },
  { kind: 'hello', version: 1, chainId, genesisHash, newest: record },
  { kind: 'sign', id: 1, key, signBytes, lock },
  { kind: 'signAction', id: 2, key, unsigned: Uint8Array.of(0x50, 0xc0) },
  { kind: 'ping', id: 0 },
  {
    kind: 'welcome',
    version: 1,
    chainId,
    genesisHash,
    keys: [{ address: key, credential: new Uint8Array(65).fill(9) }],
    newest: record,
  },
  { kind: 'signature', id: 1, signature: new Uint8Array(65).fill(8) },
  { kind: 'refusal', id: 3, refusal: 'conflict', reason: 'another message was signed there' },
  { kind: 'pong', id: 0 },
];
