import { describe, expect, it } from '@jest/globals';
import type { ValidatorSet } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import type { Peer } from '../ports.ts';
import { createSanctions } from './sanctions.ts';

const address = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
const [voter, sentry, follower] = [address(1), address(2), address(3)];
const former: Peer = { address: address(4), role: 'validator' };

function told(what: 'ban' | 'burden', peer: Address): { readonly punished: unknown[]; readonly warnings: string[] } {
  const punished: unknown[] = [];
  const warnings: string[] = [];
  const peers: Peer[] = [
    { address: voter, role: 'validator' },
    { address: sentry, role: 'full', listed: true },
    { address: follower, role: 'full', listed: false },
    former,
  ];
  const network = { peers: () => peers, punish: (...offender: unknown[]) => punished.push(offender) };
  const validators = { validators: [{ address: voter }] } as unknown as ValidatorSet;
  const log = { warn: (message: string) => void warnings.push(message) };
  createSanctions({ network, log, tip: { height: 7 as Height, validators } })[what](peer, 'reason');
  return { punished, warnings };
}

describe('a peer that is a burden to block sync', () => {
  it.each([
    ['a follower', follower],
    ['who was a validator', former.address],
    ['one that has left', address(9)],
  ])('%s: banned as slow', (_name, peer) => {
    expect(told('burden', peer)).toEqual({ punished: [[peer, 'reason', 'slow']], warnings: ['a slow peer is banned'] });
  });

  it.each([
    ['a validator of the next height', voter],
    ['a peer that the operator listed', sentry],
  ])('%s: stays, and the log says so', (_name, peer) => {
    expect(told('burden', peer)).toEqual({
      punished: [],
      warnings: ['a slow peer is not asked for blocks for a while'],
    });
  });
});

it('a peer that lies: banned for a breach, whoever it is', () => {
  for (const peer of [voter, sentry, follower])
    expect(told('ban', peer)).toEqual({
      punished: [[peer, 'reason']],
      warnings: ['a peer is banned from block sync'],
    });
});
