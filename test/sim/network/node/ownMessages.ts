import type { Proposal, Vote } from '@prime/codec';
import type { PeerMessage, SignStateRecord } from '@prime/engine';
import type { Address } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { Program } from '../scenario/upgrade.ts';
import { short, type World } from '../world.ts';

/** Where something was signed: step 1 is a proposal, 2 a prevote, 3 a precommit. */
type Place = Pick<SignStateRecord, 'height' | 'round' | 'step'>;

/** The node whose messages are looked at. */
interface Speaker {
  readonly label: string;
  readonly address: Address;
  readonly isHonest: boolean;
  readonly program: Program;
  readonly disk: { readonly signedPlace: Place | null };
}

const placeOf = (own: Vote | Proposal): Place => ({
  height: own.height,
  round: own.round,
  step: 'type' in own ? (own.type === 'prevote' ? 2 : 3) : 1,
});
const shown = (place: Place | null): string =>
  place === null ? 'nothing' : `${place.height}/${place.round}/${place.step}`;

/** Every message of one node at the moment at which it leaves, and what must be true of the signatures of its own in it. */
export class OwnMessages {
  readonly #world: World;
  readonly #speaker: Speaker;
  readonly #noted = new Set<string>();

  constructor(world: World, speaker: Speaker) {
    this.#world = world;
    this.#speaker = speaker;
  }

  /** @throws Violation */
  leaves(message: PeerMessage): void {
    const { observer, upgrade, timing } = this.#world;
    const { label, address, isHonest, program } = this.#speaker;
    const votes = message.kind === 'vote' ? [message.vote] : message.kind === 'voteCertificate' ? message.votes : [];
    for (const vote of votes) {
      if (vote.validator !== address) continue;
      this.#expectKnown(vote);
      observer.voteSent(vote, isHonest);
      if (isHonest) upgrade?.onVote(label, program, vote);
    }
    if (message.kind === 'proposal') {
      const { proposal, header } = message;
      upgrade?.onProposal(proposal.blockHash, header);
      if (proposal.proposer === address) {
        this.#expectKnown(proposal);
        observer.proposalSent(proposal, isHonest);
      }
      timing?.onProposal(proposal.blockHash);
    }
    this.#note(message);
  }

  /**
   * Whatever happens next, the sign state of an honest node knows of a signature that somebody has seen, as the disk holds it and not as the process
   * believes: also where the log goes and the sign state alone remains.
   */
  #expectKnown(own: Vote | Proposal): void {
    const { label, isHonest, disk } = this.#speaker;
    if (!this.#world.shownSignatures.isOwn(own, label) || !isHonest) return;
    const [said, known] = [placeOf(own), disk.signedPlace];
    const order = known === null ? 1 : said.height - known.height || said.round - known.round || said.step - known.step;
    if (order > 0)
      throw new Violation(`${label} shows a signature at ${shown(said)}, its sign state holds ${shown(known)}`);
  }

  #note(message: PeerMessage): void {
    const { label, address } = this.#speaker;
    const said =
      message.kind === 'vote' && message.vote.validator === address
        ? `${message.vote.type}s ${short(message.vote.blockHash)} at ${message.vote.height}/${message.vote.round}`
        : message.kind === 'proposal' && message.proposal.proposer === address
          ? `proposes ${short(message.proposal.blockHash)} at ${message.proposal.height}/${message.proposal.round}, polka ${message.proposal.polRound}`
          : null;
    if (said === null || this.#noted.has(said)) return;
    this.#noted.add(said);
    this.#world.note(label, () => said);
  }
}
