import type { Vote, VoteType } from '@prime/codec';
import {
  applyRule,
  createConsensus,
  createProposalBook,
  createProposerSchedule,
  createVoteKeeper,
  type ConsensusMachine,
  type Effect,
  enabledEvents,
  initialRoundState,
  lanTimeouts,
  type Input,
  type RoundEvent,
  type RoundOutput,
  type RoundState,
  tendermintRules,
} from '@prime/consensus';
import type { Hash, Round } from '@prime/primitives';
import type { Itf, Variant } from './itf.ts';
import {
  createNames,
  fromOutput,
  type Names,
  toEvent,
  toHash,
  toRoundState,
  type TraceConsensusState,
  type TraceProposal,
  type TraceVote,
} from './vocabulary.ts';

/**
 * Replays a distributed trace: several validators, each step one input to one of them.
 *
 * The traces take one clause at a time and leave open which of several enabled ones comes first, our machine takes all of them in
 * its own order. So each validator is followed twice. Clause by clause: the clause that the trace took must be enabled here,
 * and must give the same output and state. And as a whole machine: whenever the trace's validator has nothing left to do, the
 * machine must be in the same state and must have signed the same votes and proposals.
 */

interface TraceCount {
  readonly valuesWeights: Map<Variant, number>;
  readonly votesAddresses: readonly string[];
  readonly receivedVotes: readonly TraceVote[];
}

export interface TraceBookkeeper {
  readonly rounds: Map<number, { readonly prevotes: TraceCount; readonly precommits: TraceCount }>;
}

interface TraceNode {
  readonly es: {
    readonly bk: TraceBookkeeper;
    readonly cs: TraceConsensusState;
    readonly executedInputs: readonly (readonly [Variant, number, number, Variant])[];
    readonly pendingInputs: readonly Itf[];
    readonly pendingStepChange: Variant;
    readonly started: boolean;
    readonly valset: Map<string, number>;
  };
  readonly getValueRequests: readonly (readonly [number, number])[];
}

interface Moved {
  readonly validator: string;
  readonly input: Variant;
  readonly output: Variant;
}

interface Follower {
  readonly name: string;
  readonly names: Names;
  readonly votes: ReturnType<typeof createVoteKeeper>;
  readonly proposals: ReturnType<typeof createProposalBook>;
  readonly schedule: ReturnType<typeof createProposerSchedule>;
  readonly machine: ConsensusMachine;
  /** What the trace's validator and our machine sent at this height. */
  readonly traceSent: Set<string>;
  readonly machineSent: Set<string>;
  /** Our machine is compared until the trace makes a choice that the paper does not. */
  isMachineComparable: boolean;
  state: RoundState;
}

export interface ReplayReport {
  readonly steps: number;
  readonly clauses: number;
  readonly machineComparisons: number;
  /** Decided value by validator, in order of height. */
  readonly decisions: ReadonlyMap<string, readonly string[]>;
}

class Mismatch extends Error {}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Map ? [...inner] : typeof inner === 'bigint' ? inner.toString() : inner,
  );

function expectEqual(what: string, ours: unknown, theirs: unknown): void {
  if (show(ours) !== show(theirs)) throw new Mismatch(`${what}\n  ours:   ${show(ours)}\n  theirs: ${show(theirs)}`);
}

/** Keys in one order, error texts dropped: they are theirs alone. */
function normal(variant: Variant): Variant {
  if (variant.tag === 'ErrorOutput') return { tag: 'ErrorOutput', value: [] };
  const sorted = (value: Itf): Itf =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : value;
  return sorted(variant as unknown as Itf) as unknown as Variant;
}

function createFollower(name: string, node: TraceNode): Follower {
  const names = createNames(node.es.valset);
  const height = node.es.cs.height as RoundState['height'];
  const { validatorSet } = names;
  return {
    name,
    names,
    votes: createVoteKeeper({ height, validatorSet, rules: tendermintRules }),
    proposals: createProposalBook(),
    schedule: createProposerSchedule(validatorSet),
    machine: createConsensus({ validatorSet, height, self: names.address(name), timeouts: lanTimeouts }),
    traceSent: new Set(),
    machineSent: new Set(),
    isMachineComparable: true,
    state: initialRoundState(height),
  };
}

/** Clauses that depend on more than the round state and the input: their condition must hold in our books too. */
const conditional: ReadonlySet<RoundEvent['kind']> = new Set([
  'proposal',
  'invalidProposal',
  'proposalWithPriorPolka',
  'invalidProposalWithPriorPolka',
  'polkaAny',
  'proposalWithPolka',
  'polkaNil',
  'precommitAny',
  'proposalWithCommit',
  'skipRound',
]);

/** Gives an input of the trace to our books, and returns it as inputs of our machine. */
function ingest(follower: Follower, node: TraceNode, before: TraceNode, { tag, value }: Variant): Input[] {
  const { names, votes, proposals, state } = follower;
  if (!before.es.started && node.es.started) {
    // What arrived before the height began is loaded at its start.
    const early = [...node.es.bk.rounds.values()].flatMap(({ prevotes, precommits }) =>
      [...prevotes.receivedVotes, ...precommits.receivedVotes].map(names.vote),
    );
    for (const vote of early) votes.add(vote, 100 as Round);
    const inputs = early.map((vote): Input => ({ kind: 'vote', vote }));
    const clause = tag === 'PendingDInput' ? (value as unknown as Variant) : null;
    // A validator that finds its height decided waits for the block instead of starting a round.
    if (clause?.tag === 'ProposalAndCommitAndValidCInput') return inputs;
    return [...inputs, { kind: 'startRound', round: (clause?.tag === 'NewRoundCInput' ? clause.value : 0) as Round }];
  }
  switch (tag) {
    case 'VoteDInput': {
      const vote = names.vote(value as unknown as TraceVote);
      votes.add(vote, state.round);
      return [{ kind: 'vote', vote }];
    }
    case 'CertificateDInput': {
      const certified = (value as unknown as TraceVote[]).map(names.vote);
      if (!votes.isQuorumOf(certified)) throw new Mismatch('certificate without a quorum');
      votes.addQuorum(certified);
      return [{ kind: 'voteCertificate', votes: certified }];
    }
    case 'ProposalDInput': {
      const proposal = names.proposal(value as unknown as TraceProposal);
      const validity = (value as unknown as TraceProposal).proposal === 'invalid' ? 'invalid' : 'valid';
      if (follower.schedule.proposer(proposal.round) === proposal.proposer) proposals.add(proposal, validity, false);
      return [{ kind: 'proposal', proposal, validity }];
    }
    case 'ProposeValueDInput':
      return [{ kind: 'ownValue', round: state.round, blockHash: toHash(value as string) }];
    case 'TimeoutDInput': {
      const step = (value as unknown as Variant).tag.replace('Timeout', '').toLowerCase() as 'propose';
      return [{ kind: 'timeout', timeout: { height: state.height, round: state.round, step } }];
    }
    default:
      return [];
  }
}

/** Applies the clauses that the trace executed in this step; returns the last output. */
function applyExecuted(follower: Follower, executed: readonly Variant[], output: Variant): RoundOutput {
  let last: RoundOutput = { kind: 'none' };
  for (const [index, input] of executed.entries()) {
    const event = toEvent(input);
    const isRefusal = output.tag === 'ErrorOutput' && index === executed.length - 1;
    if (conditional.has(event.kind) && !isRefusal) {
      const enabled = [...enabledEvents({ ...follower, wasApplied: () => false })];
      if (!enabled.some((other) => show(other) === show(event)) && !isStale(follower, event))
        throw new Mismatch(`the trace takes ${show(event)}, enabled here are ${show(enabled)}`);
    }
    if (event.kind === 'newRound') checkProposer(follower, event);
    const transition = applyRule(tendermintRules, follower.state, event);
    follower.state = transition.state;
    last = transition.output;
  }
  return last;
}

/** The traces still carry out what was pending when they decided; the paper's process is at the next height then. */
const isStale = ({ state, votes }: Follower, event: RoundEvent): boolean =>
  event.kind === 'precommitAny' && state.step === 'decided' && votes.hasAnyQuorum('precommit', state.round);

function checkProposer(follower: Follower, event: Extract<RoundEvent, { kind: 'newRound' }>): void {
  const isOurs = follower.schedule.proposer(event.round) === follower.names.address(follower.name);
  if (isOurs === event.isProposer) return;
  // The specification asks for the proposer of round + 1 when it skips further than that, and never when it starts late.
  if (event.round === follower.state.round + 1) throw new Mismatch(`proposer of round ${event.round} differs`);
  follower.isMachineComparable = false;
}

function compareCounts({ votes, names }: Follower, bookkeeper: TraceBookkeeper): void {
  for (const [round, counts] of bookkeeper.rounds) compareRound(votes, names, round as Round, counts);
}

/** Same power for each value, same voters. */
export function compareRound(
  votes: ReturnType<typeof createVoteKeeper>,
  names: Names,
  round: Round,
  counts: { readonly prevotes: TraceCount; readonly precommits: TraceCount },
): void {
  const powerOf = (found: readonly Vote[]): number =>
    found.reduce(
      (sum, vote) =>
        sum + Number(names.validatorSet.validators.find(({ address }) => address === vote.validator)!.power),
      0,
    );
  for (const type of ['prevote', 'precommit'] as VoteType[]) {
    const theirs = type === 'prevote' ? counts.prevotes : counts.precommits;
    for (const [id, weight] of theirs.valuesWeights) {
      const value: Hash | null = id.tag === 'Val' ? toHash(id.value as string) : null;
      expectEqual(
        `power of ${type}s for ${show(id)} in round ${round}`,
        powerOf(votes.votesOf(type, round, value)),
        weight,
      );
    }
    const voters = votes.votesIn(round).filter((vote) => vote.type === type);
    expectEqual(
      `voters of ${type}s in round ${round}`,
      voters.map((vote) => vote.validator).sort(),
      theirs.votesAddresses.map(names.address).sort(),
    );
  }
}

const sentByMachine = (effect: Effect): string | null => {
  switch (effect.kind) {
    case 'signVote':
      return `${effect.type} ${effect.round} ${effect.blockHash}`;
    case 'signProposal':
      return `proposal ${effect.round} ${effect.polRound} ${effect.blockHash}`;
    case 'decide':
      return `decide ${effect.round} ${effect.blockHash}`;
    default:
      return null;
  }
};

const sentByTrace = (output: RoundOutput): string | null => {
  switch (output.kind) {
    case 'vote':
      return `${output.type} ${output.round} ${output.blockHash}`;
    case 'proposal':
      return `proposal ${output.round} ${output.polRound} ${output.blockHash}`;
    case 'decide':
      return `decide ${output.round} ${output.blockHash}`;
    default:
      return null;
  }
};

/** True when the trace's validator has nothing left to do before the next input. */
const isQuiet = ({ es, getValueRequests }: TraceNode): boolean =>
  es.started &&
  es.pendingStepChange.tag === 'NoStep' &&
  es.pendingInputs.length === 0 &&
  !getValueRequests.some(([height, round]) => height === es.cs.height && round === es.cs.round);

function compareMachine(follower: Follower): void {
  const { decision, ...state } = follower.machine.state;
  expectEqual('state of the whole machine', state, follower.state);
  expectEqual('messages of the whole machine', [...follower.machineSent].sort(), [...follower.traceSent].sort());
  if (decision !== null && follower.state.step !== 'decided') throw new Mismatch('decided before the trace');
}

const movedOf = (history: Itf): Moved => {
  if (!Array.isArray(history)) return history as unknown as Moved;
  const [validator, input, output] = history as unknown as [string, Variant, Variant];
  return { validator, input, output };
};

/** @throws Mismatch naming the step, and what differs */
export function replayDistributed(states: readonly Record<string, Itf>[]): ReplayReport {
  const nodesOf = (index: number): Map<string, TraceNode> =>
    states[index]!['system'] as unknown as Map<string, TraceNode>;
  const followers = new Map([...nodesOf(0)].map(([name, node]) => [name, createFollower(name, node)]));
  const decisions = new Map<string, string[]>([...followers.keys()].map((name) => [name, []]));
  const report = { steps: 0, clauses: 0, machineComparisons: 0, decisions };

  function move(index: number, moved: Moved): void {
    const before = nodesOf(index - 1).get(moved.validator)!;
    const node = nodesOf(index).get(moved.validator)!;
    const follower = followers.get(moved.validator)!;
    const inputs = ingest(follower, node, before, moved.input);
    const executed = node.es.executedInputs.slice(before.es.executedInputs.length).map(([input]) => input);
    const output = applyExecuted(follower, executed, moved.output);
    report.steps += 1;
    report.clauses += executed.length;
    expectEqual('output', normal(fromOutput(output, follower.state, moved.validator)), normal(moved.output));
    expectEqual('state', follower.state, toRoundState(node.es.cs));
    compareCounts(follower, node.es.bk);
    const sent = sentByTrace(output);
    if (sent !== null) follower.traceSent.add(sent);
    if (output.kind === 'decide') decisions.get(moved.validator)!.push(output.blockHash);
    for (const input of inputs)
      for (const effect of follower.machine.step(input)) {
        const message = sentByMachine(effect);
        if (message !== null) follower.machineSent.add(message);
      }
    if (!follower.isMachineComparable || !isQuiet(node)) return;
    compareMachine(follower);
    report.machineComparisons += 1;
  }

  for (let index = 1; index < states.length; index++) {
    for (const [name, node] of nodesOf(index)) {
      const isReset = node.es.executedInputs.length < nodesOf(index - 1).get(name)!.es.executedInputs.length;
      if (isReset || node.es.cs.height !== followers.get(name)!.state.height)
        followers.set(name, createFollower(name, node));
    }
    const moved = movedOf(states[index]!['_hist']!);
    if (!followers.has(moved.validator)) continue;
    // A step of the network leaves the history as it was and changes no validator.
    const isNew = show(moved) !== show(movedOf(states[index - 1]!['_hist']!));
    const [was, is] = [nodesOf(index - 1).get(moved.validator)!, nodesOf(index).get(moved.validator)!];
    const isReset = is.es.executedInputs.length < was.es.executedInputs.length || !is.es.started;
    if (isReset || (!isNew && show(was.es) === show(is.es))) continue;
    try {
      move(index, moved);
    } catch (error) {
      if (error instanceof Mismatch)
        throw new Mismatch(`step ${index}, ${moved.validator}, input ${show(moved.input)}: ${error.message}`);
      throw error;
    }
  }
  return report;
}
