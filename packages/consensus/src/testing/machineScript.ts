import { expect } from '@jest/globals';
import type { Proposal, Vote, VoteType } from '@prime/codec';
import { type Hash, type Height, parseHash, type Round } from '@prime/primitives';
import {
  type ConsensusMachine,
  type ConsensusOptions,
  createConsensus,
  createValidatorSet,
  type Effect,
  type Input,
  lanTimeouts,
  type Timeout,
  type Validity,
} from '../index.ts';
import { addressOf, memberOf } from './members.ts';

/** The machine of consensus, told what happens in short, and read back in short. */

export const height = 5 as Height;
export const addresses = [0, 1, 2, 3].map(addressOf);
/** Equal power: the proposer of round r is number r mod 4. */
const validatorSet = createValidatorSet(addresses.map((_, index) => memberOf(index)));
export const [A, B, C] = ['a', 'b', 'c'].map((digit): Hash => parseHash(`0x${digit.repeat(64)}`)) as [Hash, Hash, Hash];
const names = new Map<Hash | null, string>([
  [A, 'A'],
  [B, 'B'],
  [C, 'C'],
  [null, 'nil'],
]);
export const signature = new Uint8Array(65);

/** Own index is 3 unless told: not the proposer of the first three rounds. */
export const create = (options: Partial<ConsensusOptions> = {}): ConsensusMachine =>
  createConsensus({ validatorSet, height, self: addresses[3]!, timeouts: lanTimeouts, ...options });

export const vote = (type: VoteType, validator: number, round: number, blockHash: Hash | null): Vote => ({
  type,
  height,
  round: round as Round,
  blockHash,
  validator: addresses[validator]!,
  signature,
});
export const proposal = (round: number, blockHash: Hash, polRound = -1): Proposal => ({
  height,
  round: round as Round,
  polRound: polRound as Round,
  blockHash,
  proposer: addresses[round % 4]!,
  signature,
});
export const timeout = (step: Timeout['step'], round: number): Input => ({
  kind: 'timeout',
  timeout: { height, round: round as Round, step },
});
export const start: Input = { kind: 'startRound', round: 0 as Round };
export const proposed = (round: number, blockHash: Hash, polRound = -1, validity: Validity = 'valid'): Input => ({
  kind: 'proposal',
  proposal: proposal(round, blockHash, polRound),
  validity,
});
const votes = (type: VoteType, validators: readonly number[], round: number, value: Hash | null): Input[] =>
  validators.map((validator) => ({ kind: 'vote', vote: vote(type, validator, round, value) }));
export const prevotes = (validators: readonly number[], round: number, value: Hash | null): Input[] =>
  votes('prevote', validators, round, value);
export const precommits = (validators: readonly number[], round: number, value: Hash | null): Input[] =>
  votes('precommit', validators, round, value);

/** Effects in short: `prevote 0 A`, `timeout propose 0`, `round 1`, ... Rebroadcast timers are left out. */
function shown(effect: Effect): string[] {
  switch (effect.kind) {
    case 'enterRound':
      return [`round ${effect.round}`];
    case 'scheduleTimeout':
      return effect.timeout.step === 'rebroadcast' ? [] : [`timeout ${effect.timeout.step} ${effect.timeout.round}`];
    case 'getValue':
      return [`getValue ${effect.round}`];
    case 'signProposal':
      return [`propose ${effect.round} ${names.get(effect.blockHash)} pol ${effect.polRound}`];
    case 'signVote':
      return [`${effect.type} ${effect.round} ${names.get(effect.blockHash)}`];
    case 'decide':
      return [`decide ${effect.round} ${names.get(effect.blockHash)} with ${effect.certificate.signatures.length}`];
    case 'fetchProposal':
      return [`fetch ${effect.type} ${effect.round} ${names.get(effect.blockHash)}`];
    case 'relayCertificate':
      return [`relay ${effect.certificate.kind} ${effect.certificate.round} of ${effect.certificate.votes.length}`];
    case 'relayProposal':
      return [`relay proposal ${effect.proposal.round} ${names.get(effect.proposal.blockHash)}`];
    case 'rebroadcastVotes':
      return [`rebroadcast ${effect.votes.length}`];
    case 'evidence':
      return [`evidence ${effect.evidence.kind}`];
    case 'invalidDecision':
      return [`invalid decision ${effect.round} ${names.get(effect.blockHash)}`];
    case 'ignored':
      return [`ignored ${effect.reason}`];
  }
}

export const run = (machine: ConsensusMachine, ...inputs: (Input | Input[])[]): string[] =>
  inputs.flat().flatMap((input) => machine.step(input).flatMap(shown));

export const locks = (machine: ConsensusMachine): string => {
  const { lockedRound, lockedValue, validRound, validValue } = machine.state;
  return `locked ${lockedRound} ${names.get(lockedValue)}, valid ${validRound} ${names.get(validValue)}`;
};

/** Locked on A since round 0, now in round 1. */
export function lockedInRound1(): ConsensusMachine {
  const machine = create();
  run(
    machine,
    start,
    proposed(0, A),
    prevotes([0, 1, 3], 0, A),
    precommits([0, 1, 2], 0, null),
    timeout('precommit', 0),
  );
  expect([machine.state.round, locks(machine)]).toEqual([1, 'locked 0 A, valid 0 A']);
  return machine;
}
