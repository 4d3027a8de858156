import type { CommitCertificate, Proposal, ValidatorSet, Vote } from '@prime/codec';
import { advanceProposer, createValidatorSet, type RuleTable, type TimeoutConfig } from '@prime/consensus';
import { type Address, createPrng, type Hash, parseAddress, parseHash, type Prng } from '@prime/primitives';
import { createEventQueue, type EventQueue } from './eventQueue.ts';
import { createObserver, type Observer } from './observer.ts';

/** What validators say to each other here; signatures are left out, nobody can speak for another. */
export type Message =
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'votes'; readonly votes: readonly Vote[] }
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  | { readonly kind: 'status'; readonly height: number }
  | { readonly kind: 'fetch'; readonly height: number; readonly round: number; readonly blockHash: Hash }
  | { readonly kind: 'decided'; readonly certificate: CommitCertificate };

/** Anything with a place in the network. */
export interface Participant {
  readonly label: string;
  readonly address: Address;
  readonly isHonest: boolean;
  receive(from: Address, message: Message): void;
}

export interface SimulationOptions {
  readonly seed: number;
  readonly validatorCount: number;
  /** Power of everyone is 1, or random. */
  readonly equalPower: boolean;
  /** How long links, processes and disks misbehave, ms of virtual time. */
  readonly faultsMs: number;
  /** Blocks that everyone must decide after the faults stop. */
  readonly blocksAfterFaults: number;
  /** One pair of validators never hears each other again: the others must pass on what they need. */
  readonly isPairCutForever: boolean;
  /** How long that may take, ms of virtual time. */
  readonly patienceMs: number;
  /** Damaged rules for all honest validators; only to show that the simulator notices. */
  readonly rules?: RuleTable;
  /** Send without making the log durable; only to show that the simulator notices. */
  readonly skipSync?: boolean;
}

/** Shorter than in production so that a height with several failed rounds stays a short run. */
export const simTimeouts: TimeoutConfig = {
  proposeMs: 100,
  proposeDeltaMs: 50,
  prevoteMs: 60,
  prevoteDeltaMs: 40,
  precommitMs: 60,
  precommitDeltaMs: 40,
  rebroadcastMs: 200,
  rebroadcastDeltaMs: 0,
  capMs: 5_000,
};

/** What exists once in a run: time, randomness, links, the observer, and the log of what happened. */
export interface World {
  readonly options: SimulationOptions;
  readonly queue: EventQueue;
  readonly prng: Prng;
  readonly observer: Observer;
  readonly participants: Participant[];
  readonly addresses: readonly Address[];
  setAt(height: number): ValidatorSet;
  /** A hash that was never used before. */
  newBlock(isInvalid: boolean): Hash;
  isInvalid(blockHash: Hash): boolean;
  areFaultsOver(): boolean;
  /** Links that are cut now, as "from/to". */
  readonly cutLinks: Set<string>;
  send(sender: Participant, to: Address, message: Message): void;
  broadcast(sender: Participant, message: Message): void;
  note(label: string, line: () => string): void;
  readonly log: readonly string[];
  readonly seen: Seen;
}

/** What happened how often: a simulator in which nothing goes wrong proves nothing. */
export interface Seen {
  crashes: number;
  /** Highest round in which a block was decided. */
  decidedRoundMax: number;
  relayedCertificates: number;
  fetchedProposals: number;
  evidence: number;
  /** A locked validator prevoted another value or nil. */
  locksHeld: number;
}

/** Lines kept for the report of a failure. */
const logLinesMax = 400;

const addressOf = (index: number): Address => parseAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`);

function initialSet({ validatorCount, equalPower }: SimulationOptions, prng: Prng): ValidatorSet {
  return createValidatorSet(
    Array.from({ length: validatorCount }, (_, index) => ({
      address: addressOf(index),
      signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
      publicKey: new Uint8Array(33),
      stake: 1n,
      power: equalPower ? 1n : BigInt(1 + prng.below(10)),
      moniker: `v${index}`,
      proposerPriority: 0n,
    })),
  );
}

export function createWorld(options: SimulationOptions): World {
  const prng = createPrng(options.seed);
  const queue = createEventQueue();
  const sets: ValidatorSet[] = [initialSet(options, prng)];
  const log: string[] = [];
  const participants: Participant[] = [];
  const invalid = new Set<Hash>();
  const cutLinks = new Set<string>();
  let blocks = 0;

  const setAt = (height: number): ValidatorSet => {
    while (sets.length < height) sets.push(advanceProposer(sets.at(-1)!));
    return sets[height - 1]!;
  };
  const isInvalid = (blockHash: Hash): boolean => invalid.has(blockHash);
  const areFaultsOver = (): boolean => queue.nowMs >= options.faultsMs;
  const link = prng.fork();

  function deliver(from: Address, to: Participant, message: Message): void {
    const isBad = !areFaultsOver();
    // One message in eight meets a slow path, and so arrives after later ones.
    const delayMs = 1 + link.below(isBad && link.chance(1, 8) ? 400 : 10);
    queue.after(delayMs, () => to.receive(from, message));
  }

  const send: World['send'] = (sender, to, message) => {
    const isBad = !areFaultsOver();
    if (cutLinks.has(`${sender.address}/${to}`)) return;
    if (isBad && link.chance(1, 12)) return;
    const copies = isBad && link.chance(1, 16) ? 2 : 1;
    for (const receiver of participants)
      if (receiver.address === to && receiver !== sender)
        for (let copy = 0; copy < copies; copy++) deliver(sender.address, receiver, message);
  };

  return {
    options,
    queue,
    prng,
    participants,
    cutLinks,
    log,
    setAt,
    isInvalid,
    areFaultsOver,
    send,
    observer: createObserver({ setAt, isInvalid }),
    seen: { crashes: 0, decidedRoundMax: 0, relayedCertificates: 0, fetchedProposals: 0, evidence: 0, locksHeld: 0 },
    addresses: setAt(1).validators.map((validator) => validator.address),
    newBlock(isBad) {
      const hash = parseHash(`0x${(++blocks).toString(16).padStart(64, '0')}`);
      if (isBad) invalid.add(hash);
      return hash;
    },
    broadcast(sender, message) {
      for (const { address } of setAt(1).validators) if (address !== sender.address) send(sender, address, message);
    },
    note(label, line) {
      if (log.length >= logLinesMax) log.splice(0, logLinesMax / 2);
      log.push(`${queue.nowMs.toString().padStart(7)} ms  ${label.padEnd(4)} ${line()}`);
    },
  };
}

/** Block hashes are counters here: the last digits say everything. */
export const short = (hash: Hash | null): string => (hash === null ? 'nil' : `#${Number(BigInt(hash))}`);
