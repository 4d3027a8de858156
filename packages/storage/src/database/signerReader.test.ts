import { describe, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  type AgentRecord,
  agentRecordKey,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeSignerRecord,
  prefixedKey,
  signerRecordKey,
  statePrefix,
  subAccountAddress,
} from '@prime/codec';
import { type Address, bytesToHex } from '@prime/primitives';
import { createSignerReader } from './signerReader.ts';

const [alice, bob] = ['a1', 'b2'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const first = subAccountAddress(alice, 1);
const account = { collateral: 0n, positions: [] };
const approval: AgentRecord = { account: alice, agent: bob, expiry: 0, permissions: 8, name: '', revoked: false };

const records: readonly (readonly [Uint8Array, Uint8Array])[] = [
  [accountRecordKey(alice), encodeAccountRecord({ ...account, address: alice, locked: false })],
  [
    accountRecordKey(first),
    encodeAccountRecord({ ...account, address: first, locked: true, subAccount: { owner: alice, index: 1 } }),
  ],
  [agentRecordKey(alice, bob), encodeAgentRecord(approval)],
  [signerRecordKey(alice), encodeSignerRecord({ signer: alice, nonces: [5, 7] })],
];
const stored = new Map(
  records.map(([key, value]) => [bytesToHex(prefixedKey(statePrefix.clobRecord, key)) as string, value]),
);
const reader = createSignerReader({ getSync: (key) => stored.get(bytesToHex(key)) });

describe('the records about signers', () => {
  it('tell who signs for an account', () => {
    expect([alice, first, bob].map((address) => reader.authority(address))).toEqual([alice, alice, bob]);
  });

  it('tell whether unsigned actions count, and who is known', () => {
    expect([alice, first, bob].map((address) => reader.isLocked(address))).toEqual([false, true, false]);
    expect([alice, first, bob].map((address) => reader.isKnown(address))).toEqual([true, true, false]);
  });

  it('tell agents and nonces', () => {
    expect([reader.agent(alice, bob), reader.agent(first, bob)]).toEqual([approval, null]);
    expect([reader.signerNonces(alice), reader.signerNonces(bob)]).toEqual([[5, 7], []]);
  });
});
