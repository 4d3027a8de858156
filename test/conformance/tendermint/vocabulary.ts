import { createValidatorSet, type RoundEvent, type RoundOutput, type RoundState } from '@prime/consensus';
import type { Proposal, ValidatorSet, Vote, VoteType } from '@prime/codec';
import {
  type Address,
  bytesToHash,
  bytesToUtf8,
  type Hash,
  hexToBytes,
  parseAddress,
  type Round,
  utf8ToBytes,
} from '@prime/primitives';
import type { Itf, Variant } from './itf.ts';

/** The words of the traces in ours. Only names change here; no rule is decided in this file. */

/** Round state as the traces write it. */
export interface TraceConsensusState {
  readonly height: number;
  readonly round: number;
  readonly step: Variant;
  readonly lockedRound: number;
  readonly lockedValue: Variant;
  readonly validRound: number;
  readonly validValue: Variant;
}

export interface TraceVote {
  readonly height: number;
  readonly round: number;
  readonly srcAddress: string;
  readonly valueId: Variant;
  readonly voteType: Variant;
}

export interface TraceProposal {
  readonly height: number;
  readonly round: number;
  readonly srcAddress: string;
  readonly proposal: string;
  readonly validRound: number;
}

/** A value's name, padded to 32 bytes. */
export function toHash(value: string): Hash {
  const bytes = new Uint8Array(32);
  bytes.set(utf8ToBytes(value));
  return bytesToHash(bytes);
}
const fromHash = (hash: Hash): string => bytesToUtf8(hexToBytes(hash)).replace(/\0+$/, '');
const toValue = (id: Variant): Hash | null => (id.tag === 'Val' ? toHash(id.value as string) : null);
const fromValue = (hash: Hash | null): Variant =>
  hash === null ? { tag: 'Nil', value: [] } : { tag: 'Val', value: fromHash(hash) };

const unsigned = new Uint8Array(65);

/** Translates validator names to addresses. */
export interface Names {
  readonly validatorSet: ValidatorSet;
  address(name: string): Address;
  vote(vote: TraceVote): Vote;
  proposal(proposal: TraceProposal): Proposal;
}

/**
 * Addresses are chosen so that our rotation gives the proposers of the traces: with equal power it goes by address, theirs
 * begins with the second name.
 */
export function createNames(powers: ReadonlyMap<string, number>): Names {
  const names = [...powers.keys()].sort();
  const address = (name: string): Address => {
    const known = names.indexOf(name);
    const index = known < 0 ? 255 : (known + names.length - 1) % names.length;
    return parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
  };
  return {
    address,
    validatorSet: createValidatorSet(
      names.map((name, index) => ({
        address: address(name),
        signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
        publicKey: new Uint8Array(33),
        stake: 1n,
        power: BigInt(powers.get(name)!),
        moniker: name,
        proposerPriority: 0n,
      })),
    ),
    vote: (vote) => ({
      type: vote.voteType.tag.toLowerCase() as VoteType,
      height: vote.height as Vote['height'],
      round: vote.round as Round,
      blockHash: toValue(vote.valueId),
      validator: address(vote.srcAddress),
      signature: unsigned,
    }),
    proposal: (proposal) => ({
      height: proposal.height as Proposal['height'],
      round: proposal.round as Round,
      polRound: proposal.validRound as Round,
      blockHash: toHash(proposal.proposal),
      proposer: address(proposal.srcAddress),
      signature: unsigned,
    }),
  };
}

const steps: Readonly<Record<RoundState['step'], readonly string[]>> = {
  newRound: ['NoStep', 'UnstartedStep'],
  propose: ['ProposeStep'],
  prevote: ['PrevoteStep'],
  precommit: ['PrecommitStep'],
  decided: ['CommitStep'],
};

export function toRoundState(state: TraceConsensusState): RoundState {
  const step = (Object.keys(steps) as RoundState['step'][]).find((name) => steps[name].includes(state.step.tag));
  if (step === undefined) throw new Error(`unknown step ${state.step.tag}`);
  return {
    height: state.height as RoundState['height'],
    round: state.round as Round,
    step,
    lockedRound: state.lockedRound as Round,
    lockedValue: toValue(state.lockedValue),
    validRound: state.validRound as Round,
    validValue: toValue(state.validValue),
  };
}

/** A consensus input of the traces (an `upon` clause whose condition holds) as our event. */
export function toEvent({ tag, value }: Variant): RoundEvent {
  const pair = value as Itf[];
  const position = { height: pair?.[0] as RoundState['height'], round: pair?.[1] as Round };
  switch (tag) {
    case 'NewRoundCInput':
      return { kind: 'newRound', round: value as Round, isProposer: false };
    case 'NewRoundProposerCInput':
      return { kind: 'newRound', round: value as Round, isProposer: true };
    case 'ProposeValueCInput':
      return { kind: 'ownValue', blockHash: toHash(value as string) };
    case 'ProposalCInput':
      return { kind: 'proposal', blockHash: toValue(pair[1] as unknown as Variant)! };
    case 'ProposalInvalidCInput':
      return { kind: 'invalidProposal' };
    case 'ProposalAndPolkaPreviousAndValidCInput':
      return {
        kind: 'proposalWithPriorPolka',
        blockHash: toValue(pair[0] as unknown as Variant)!,
        polRound: pair[1] as Round,
      };
    case 'ProposalAndPolkaAndInvalidCInput':
      return { kind: 'invalidProposalWithPriorPolka' };
    case 'PolkaAnyCInput':
      return { kind: 'polkaAny' };
    case 'PolkaNilCInput':
      return { kind: 'polkaNil' };
    case 'ProposalAndPolkaAndValidCInput':
      return { kind: 'proposalWithPolka', blockHash: toValue(value as unknown as Variant)! };
    case 'PrecommitAnyCInput':
      return { kind: 'precommitAny' };
    case 'ProposalAndCommitAndValidCInput':
      return { kind: 'proposalWithCommit', round: pair[0] as Round, blockHash: toHash(pair[1] as string) };
    case 'RoundSkipCInput':
      return { kind: 'skipRound', round: value as Round };
    case 'TimeoutProposeCInput':
      return { kind: 'timeoutPropose', ...position };
    case 'TimeoutPrevoteCInput':
      return { kind: 'timeoutPrevote', ...position };
    case 'TimeoutPrecommitCInput':
      return { kind: 'timeoutPrecommit', ...position };
    default:
      throw new Error(`unknown consensus input ${tag}`);
  }
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** Our output in the words of the traces; what they call an error is a refusal here. */
export function fromOutput(output: RoundOutput, { height }: RoundState, self: string): Variant {
  const timeout = (step: string): Variant => ({ tag: `${capital(step)}Timeout`, value: [] });
  switch (output.kind) {
    case 'none':
      return { tag: 'NoConsensusOutput', value: [] };
    case 'refused':
      return { tag: 'ErrorOutput', value: [] };
    case 'getValue':
      return { tag: 'GetValueAndScheduleTimeoutOutput', value: [height, output.round, timeout('propose') as never] };
    case 'proposal':
      return {
        tag: 'ProposalOutput',
        value: {
          height,
          round: output.round,
          srcAddress: self,
          proposal: fromHash(output.blockHash),
          validRound: output.polRound,
        },
      };
    case 'vote':
      return {
        tag: 'VoteOutput',
        value: {
          height,
          round: output.round,
          srcAddress: self,
          valueId: fromValue(output.blockHash) as never,
          voteType: { tag: capital(output.type), value: [] },
        },
      };
    case 'timeout':
      return { tag: 'TimeoutOutput', value: [output.round, timeout(output.step) as never] };
    case 'skip':
      return { tag: 'SkipRoundOutput', value: output.round };
    case 'decide':
      return { tag: 'DecidedOutput', value: [output.round, fromHash(output.blockHash)] };
  }
}
