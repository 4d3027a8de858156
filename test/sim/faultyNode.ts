import type { Proposal, Vote } from '@prime/codec';
import { createProposerSchedule } from '@prime/consensus';
import type { Address, Hash, Height, Prng, Round } from '@prime/primitives';
import { type Message, type Participant, short, type World } from './world.ts';

const unsigned = new Uint8Array(65);

/**
 * A validator that follows no protocol: in every round it sees it sends to each peer a vote of its own choice, or none; when it
 * is the proposer, different blocks to different peers, some invalid, some with a polka round that it made up. It passes on
 * single votes of others to whom it likes.
 */
export class FaultyNode implements Participant {
  readonly label: string;
  readonly address: Address;
  readonly isHonest = false;
  private readonly world: World;
  private readonly prng: Prng;
  /** Chance in eighths that a message is sent at all; 0 is a validator that only listens. */
  private readonly talk: number;
  private readonly rounds = new Set<string>();
  private readonly blocks = new Map<number, Hash[]>();

  constructor(world: World, label: string, address: Address, talk: number) {
    this.world = world;
    this.label = label;
    this.address = address;
    this.talk = talk;
    this.prng = world.prng.fork();
  }

  receive(from: Address, message: Message): void {
    // They know each other's blocks, but two of them must not chase each other through rounds in which nobody else is.
    const isKin = this.world.participants.some((other) => other.address === from && other instanceof FaultyNode);
    if (isKin && message.kind === 'proposal') return this.know(message.proposal.height, message.proposal.blockHash);
    if (isKin) return;
    if (message.kind === 'proposal') {
      const { height, round, blockHash } = message.proposal;
      this.know(height, blockHash);
      this.act(height, round);
    } else if (message.kind === 'vote') {
      if (message.vote.blockHash !== null) this.know(message.vote.height, message.vote.blockHash);
      this.act(message.vote.height, message.vote.round);
      if (this.prng.chance(1, 8)) this.to(this.pick(this.world.addresses), { kind: 'vote', vote: message.vote });
    } else if (message.kind === 'status') {
      this.act(message.height, 0);
    }
  }

  private know(height: number, blockHash: Hash): void {
    const known = this.blocks.get(height) ?? [];
    this.blocks.set(height, known);
    if (!known.includes(blockHash) && known.length < 8) known.push(blockHash);
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.prng.below(from.length)]!;
  }

  private to(peer: Address, message: Message): void {
    if (peer !== this.address) this.world.send(this, peer, message);
  }

  /** Once for each round and for the one after it: votes now, and again later when more blocks are known. */
  private act(height: number, round: number): void {
    for (const at of [round, round + 1]) {
      const key = `${height}/${at}`;
      if (this.rounds.has(key)) continue;
      this.rounds.add(key);
      this.propose(height, at);
      for (const delayMs of [0, 20, 80])
        this.world.queue.after(delayMs + this.prng.below(20), () => this.vote(height, at));
    }
  }

  private propose(height: number, round: number): void {
    if (createProposerSchedule(this.world.setAt(height)).proposer(round) !== this.address) return;
    const choices = [
      this.world.newBlock(false),
      this.world.newBlock(this.prng.chance(1, 2)),
      ...(this.blocks.get(height) ?? []),
    ];
    for (const peer of this.world.addresses) {
      if (!this.prng.chance(this.talk, 8)) continue;
      const proposal: Proposal = {
        height: height as Height,
        round: round as Round,
        polRound: (this.prng.chance(1, 3) ? this.prng.below(round + 1) - 1 : -1) as Round,
        blockHash: this.pick(choices),
        proposer: this.address,
        signature: unsigned,
      };
      this.know(height, proposal.blockHash);
      this.world.observer.proposalSent(proposal, false);
      this.world.note(
        this.label,
        () => `proposes ${height}/${round} ${short(proposal.blockHash)} to ${peer.slice(-2)}`,
      );
      this.to(peer, { kind: 'proposal', proposal });
    }
  }

  private vote(height: number, round: number): void {
    const choices: (Hash | null)[] = [null, ...(this.blocks.get(height) ?? [])];
    for (const peer of this.world.addresses)
      for (const type of ['prevote', 'precommit'] as const) {
        if (!this.prng.chance(this.talk, 8)) continue;
        const vote: Vote = {
          type,
          height: height as Height,
          round: round as Round,
          blockHash: this.pick(choices),
          validator: this.address,
          signature: unsigned,
        };
        this.world.observer.voteSent(vote, false);
        this.to(peer, { kind: 'vote', vote });
      }
  }
}
