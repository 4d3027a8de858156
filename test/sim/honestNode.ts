import type { CommitCertificate, Proposal, Vote } from '@prime/codec';
import { type ConsensusMachine, createConsensus, type Effect, type Input } from '@prime/consensus';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { Violation } from './observer.ts';
import { type Message, type Participant, short, simTimeouts, type World } from './world.ts';

/** What survives a crash. */
interface Disk {
  wal: { height: number; entries: Input[]; durable: number };
  /** Certificates from height 1 on. */
  readonly decided: CommitCertificate[];
  /** Highest (height, round, step) signed, as one comparable number, and what was signed there. */
  signed: { readonly position: number; readonly content: string };
}

/** Thrown at the point where the process dies; caught by the node itself. */
class Crash extends Error {}

/** Messages kept for the next height. */
const earlyMessagesMax = 200;
const statusIntervalMs = 300;
const unsigned = new Uint8Array(65);
const positionOf = (height: number, round: number, step: number): number => (height * 1_000 + round) * 4 + step;

/**
 * A validator as the engine runs it, with everything around the core replaced by a model: log, sign-state and block store with
 * their order of writes, block building that takes time, bodies that arrive after their proposal, catching up from peers.
 *
 * Two of them with one address and separate disks are a twin: each follows the protocol, together they equivocate.
 */
export class HonestNode implements Participant {
  readonly label: string;
  readonly address: Address;
  readonly isHonest: boolean;
  isUp = false;
  /** Writes and sends until the process dies; null: it does not. */
  crashAfter: number | null = null;
  private readonly world: World;
  private readonly disk: Disk = {
    wal: { height: 0, entries: [], durable: 0 },
    decided: [],
    signed: { position: 0, content: '' },
  };
  private readonly peers: ReadonlySet<Address> | null;
  private machine: ConsensusMachine | null = null;
  private height = 0;
  /** Grows with every start, so that timers of a former life do nothing. */
  private life = 0;
  private queue: { readonly input: Input; readonly isLogged: boolean }[] = [];
  private early: [Address, Message][] = [];
  private isDraining = false;

  constructor(
    world: World,
    label: string,
    address: Address,
    role: { isHonest: boolean; peers: ReadonlySet<Address> | null },
  ) {
    this.world = world;
    this.label = label;
    this.address = address;
    this.isHonest = role.isHonest;
    this.peers = role.peers;
  }

  get decidedHeight(): number {
    return this.disk.decided.length;
  }

  describe(): string {
    const state = this.machine?.state;
    return `${this.label} ${this.isUp ? 'up' : 'down'} decided ${this.decidedHeight}, at ${state?.height}/${state?.round}/${state?.step}, lock ${state?.lockedRound}:${short(state?.lockedValue ?? null)}`;
  }

  start(): void {
    this.isUp = true;
    this.life += 1;
    this.queue = [];
    this.early = [];
    this.note(() => `starts, ${this.disk.wal.durable} log entries`);
    this.alive(() => this.beginHeight(this.decidedHeight + 1));
    this.gossipStatus();
  }

  /** Loses what was not durable; a part of the unsynced log may have reached the disk all the same. */
  crash(): void {
    this.isUp = false;
    this.life += 1;
    this.crashAfter = null;
    this.world.seen.crashes += 1;
    const { wal } = this.disk;
    const kept = wal.durable + this.world.prng.below(wal.entries.length - wal.durable + 1);
    wal.entries.length = kept;
    wal.durable = kept;
    this.note(() => `crashes, keeps ${kept} log entries`);
  }

  receive(from: Address, message: Message): void {
    if (!this.isUp || (this.peers !== null && !this.peers.has(from))) return;
    this.alive(() => this.onMessage(from, message));
  }

  private onMessage(from: Address, message: Message): void {
    switch (message.kind) {
      case 'vote':
        return this.onHeight(message.vote.height, from, message, () => this.take({ kind: 'vote', vote: message.vote }));
      case 'votes':
        return this.onHeight(message.votes[0]?.height ?? 0, from, message, () =>
          this.take({ kind: 'voteCertificate', votes: message.votes }),
        );
      case 'proposal':
        return this.onHeight(message.proposal.height, from, message, () => this.onProposal(message.proposal));
      case 'status':
        if (message.height <= this.decidedHeight)
          this.send(from, { kind: 'decided', certificate: this.disk.decided[message.height - 1]! });
        return;
      case 'fetch':
        return this.onFetch(from, message);
      case 'decided':
        if (message.certificate.height !== this.height) return;
        this.take({ kind: 'value', blockHash: message.certificate.blockHash, validity: 'valid' });
        this.take({ kind: 'commitCertificate', certificate: message.certificate });
    }
  }

  private onHeight(height: number, from: Address, message: Message, handle: () => void): void {
    if (height === this.height) handle();
    else if (height === this.height + 1 && this.early.length < earlyMessagesMax) this.early.push([from, message]);
  }

  /** The proposal is here at once, its body and check a little later. */
  private onProposal(proposal: Proposal): void {
    const { prng } = this.world;
    const validity = this.world.isInvalid(proposal.blockHash) ? 'invalid' : prng.chance(1, 40) ? 'untimely' : 'valid';
    if (prng.chance(2, 3)) return this.take({ kind: 'proposal', proposal, validity });
    this.take({ kind: 'proposal', proposal, validity: 'unknown' });
    this.later(prng.below(40), () => {
      if (proposal.height === this.height) this.take({ kind: 'proposal', proposal, validity });
    });
  }

  private onFetch(from: Address, { height, round, blockHash }: Extract<Message, { kind: 'fetch' }>): void {
    const certificate = this.disk.decided[height - 1];
    if (certificate?.blockHash === blockHash) this.send(from, { kind: 'decided', certificate });
    if (height !== this.height || this.machine === null) return;
    const proposal = this.machine.proposalsFor(round as Round).find((held) => held.blockHash === blockHash);
    if (proposal !== undefined) this.send(from, { kind: 'proposal', proposal });
  }

  private gossipStatus(): void {
    this.later(statusIntervalMs, () => {
      this.broadcast({ kind: 'status', height: this.height });
      this.gossipStatus();
    });
  }

  private beginHeight(height: number): void {
    const { world, disk } = this;
    this.height = height;
    this.machine = createConsensus({
      validatorSet: world.setAt(height),
      height: height as Height,
      self: this.address,
      timeouts: simTimeouts,
      ...(world.options.rules !== undefined && this.isHonest ? { rules: world.options.rules } : {}),
    });
    if (disk.wal.height === height && disk.wal.entries.length > 0) this.replay();
    else {
      disk.wal = { height, entries: [], durable: 0 };
      this.take({ kind: 'startRound', round: 0 as Round });
    }
    const waiting = this.early;
    this.early = [];
    for (const [from, message] of waiting) this.onMessage(from, message);
  }

  /**
   * Feeds the log through a new machine. What it asks to sign is in the log already, and is sent again; what is not (the process
   * died before signing) is carried out when the log is at its end, as is a block that was asked for and never came.
   */
  private replay(): void {
    const { entries } = this.disk.wal;
    const mine = entries.filter(
      (entry) =>
        (entry.kind === 'vote' && entry.vote.validator === this.address) ||
        (entry.kind === 'proposal' && entry.proposal.proposer === this.address),
    );
    const own = new Map(mine.map((entry) => [ownKey(entry), entry]));
    const asked = new Set(entries.flatMap((entry) => (entry.kind === 'ownValue' ? [entry.round] : [])));
    const open: Effect[] = [];
    for (const entry of entries)
      for (const effect of this.machine!.step(entry)) {
        const isDone =
          (effect.kind === 'signVote' && own.has(`${effect.type}/${effect.round}`)) ||
          (effect.kind === 'signProposal' && own.has(`proposal/${effect.round}`)) ||
          (effect.kind === 'getValue' && asked.has(effect.round)) ||
          effect.kind === 'ignored';
        if (!isDone) open.push(effect);
      }
    for (const entry of mine) this.publish(entry);
    for (const effect of open) this.carryOut(effect);
    this.drain();
  }

  private take(input: Input): void {
    this.queue.push({ input, isLogged: false });
    this.drain();
  }

  private drain(): void {
    if (this.isDraining) return;
    this.isDraining = true;
    try {
      for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
        if (!next.isLogged) this.disk.wal.entries.push(next.input);
        for (const effect of this.machine!.step(next.input)) this.carryOut(effect);
      }
    } finally {
      this.isDraining = false;
    }
  }

  private carryOut(effect: Effect): void {
    const { world } = this;
    switch (effect.kind) {
      case 'scheduleTimeout':
        return this.later(effect.afterMs, () => {
          if (effect.timeout.height === this.height) this.take({ kind: 'timeout', timeout: effect.timeout });
        });
      case 'getValue':
        return this.onGetValue(effect.round);
      case 'signProposal':
        return this.sign(1, effect.round, `proposal ${effect.polRound} ${effect.blockHash}`, {
          kind: 'proposal',
          validity: 'valid',
          proposal: {
            height: this.height as Height,
            round: effect.round,
            polRound: effect.polRound,
            blockHash: effect.blockHash,
            proposer: this.address,
            signature: unsigned,
          },
        });
      case 'signVote':
        if (effect.type === 'prevote' && effect.lock.lockedRound >= 0 && effect.blockHash === null)
          world.seen.locksHeld += 1;
        return this.sign(effect.type === 'prevote' ? 2 : 3, effect.round, `${effect.type} ${effect.blockHash}`, {
          kind: 'vote',
          vote: this.voteOf(effect.type, effect.round, effect.blockHash),
        });
      case 'decide':
        return this.onDecide(effect.certificate);
      case 'fetchProposal':
        world.seen.fetchedProposals += 1;
        return this.broadcast({ kind: 'fetch', height: this.height, round: effect.round, blockHash: effect.blockHash });
      case 'relayCertificate':
        world.seen.relayedCertificates += 1;
        return this.broadcast({ kind: 'votes', votes: effect.certificate.votes });
      case 'rebroadcastVotes':
        return this.broadcast({ kind: 'votes', votes: effect.votes });
      case 'relayProposal':
        return this.broadcast({ kind: 'proposal', proposal: effect.proposal });
      case 'invalidDecision':
        throw new Violation(`${this.label} sees a quorum for the invalid block ${short(effect.blockHash)}`);
      case 'evidence':
        return this.onEvidence(effect);
      case 'enterRound':
        return world.note(this.label, () => `enters ${this.height}/${effect.round}`);
      case 'ignored':
        return;
    }
  }

  private voteOf(type: Vote['type'], round: Round, blockHash: Hash | null): Vote {
    return { type, height: this.height as Height, round, blockHash, validator: this.address, signature: unsigned };
  }

  private onGetValue(round: Round): void {
    const { height } = this;
    this.later(this.world.prng.below(30), () => {
      if (height === this.height) this.take({ kind: 'ownValue', round, blockHash: this.world.newBlock(false) });
    });
  }

  private onEvidence({ evidence }: Extract<Effect, { kind: 'evidence' }>): void {
    this.world.seen.evidence += 1;
    const accused = evidence.kind === 'duplicateVote' ? evidence.first.validator : evidence.first.proposer;
    if (!this.world.observer.equivocators.has(accused))
      throw new Violation(`${this.label} accuses ${accused}, which did not equivocate`);
  }

  /** Order of the design's table: log entry and one sync, sign-state, then the message leaves. */
  private sign(step: 1 | 2 | 3, round: Round, content: string, entry: Input): void {
    const { disk, world } = this;
    const position = positionOf(this.height, round, step);
    if (position < disk.signed.position || (position === disk.signed.position && content !== disk.signed.content))
      throw new Violation(
        `${this.label} is asked to sign ${content} at ${this.height}/${round} after ${disk.signed.content}`,
      );
    this.point();
    disk.wal.entries.push(entry);
    this.point();
    if (world.options.skipSync !== true) {
      disk.wal.durable = disk.wal.entries.length;
      this.point();
      disk.signed = { position, content };
    }
    this.point();
    this.publish(entry);
    this.queue.push({ input: entry, isLogged: true });
  }

  private publish(entry: Input): void {
    if (entry.kind === 'vote') {
      const { vote } = entry;
      this.note(() => `${vote.type} ${vote.height}/${vote.round} ${short(vote.blockHash)}`);
      this.world.observer.voteSent(vote, this.isHonest);
      this.broadcast({ kind: 'vote', vote });
    } else if (entry.kind === 'proposal') {
      const { proposal } = entry;
      this.note(
        () => `proposes ${proposal.height}/${proposal.round} ${short(proposal.blockHash)} pol ${proposal.polRound}`,
      );
      this.world.observer.proposalSent(proposal, this.isHonest);
      this.broadcast({ kind: 'proposal', proposal });
    }
  }

  private onDecide(certificate: CommitCertificate): void {
    const { height } = this;
    this.note(() => `decides ${height}/${certificate.round} ${short(certificate.blockHash)}`);
    if (this.isHonest) this.world.observer.decided(this.address, certificate);
    this.disk.decided.push(certificate);
    this.world.seen.decidedRoundMax = Math.max(this.world.seen.decidedRoundMax, certificate.round);
    this.point();
    this.later(this.world.prng.below(20), () => {
      if (this.height === height) this.beginHeight(height + 1);
    });
  }

  private send(to: Address, message: Message): void {
    if (this.peers === null || this.peers.has(to)) this.world.send(this, to, message);
  }

  private broadcast(message: Message): void {
    for (const to of this.world.addresses) {
      if (to === this.address) continue;
      this.point();
      this.send(to, message);
    }
  }

  /** A place where the process may die. */
  private point(): void {
    if (this.crashAfter === null) return;
    this.crashAfter -= 1;
    if (this.crashAfter < 0) throw new Crash();
  }

  private later(delayMs: number, action: () => void): void {
    const { life } = this;
    this.world.queue.after(delayMs, () => {
      if (this.life === life && this.isUp) this.alive(action);
    });
  }

  private alive(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.crash();
      this.world.queue.after(this.world.prng.below(1_500), () => {
        if (!this.isUp) this.start();
      });
    }
  }

  private note(line: () => string): void {
    this.world.note(this.label, line);
  }
}

const ownKey = (entry: Input): string =>
  entry.kind === 'vote'
    ? `${entry.vote.type}/${entry.vote.round}`
    : entry.kind === 'proposal'
      ? `proposal/${entry.proposal.round}`
      : '';
