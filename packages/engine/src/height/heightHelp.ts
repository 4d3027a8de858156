import type { ConsensusMachine } from '@prime/consensus';
import type { Address, Hash, Round } from '@prime/primitives';
import { proposalMessage } from '../block/candidates.ts';
import type { HeightBlocks } from './heightBlocks.ts';
import type { PeerNetwork } from '../ports.ts';

/** Voters that are asked for a proposal that is missing here. */
const proposalRequestsMax = 2;

/** What a peer that is behind within the height is helped with. */
export interface HeightHelpOptions {
  readonly machine: ConsensusMachine;
  readonly blocks: Pick<HeightBlocks, 'find'>;
  readonly network: Pick<PeerNetwork, 'peers' | 'send'>;
}

/** What peers at one height get of each other when messages were lost. Nothing of it is new: each message was sent before. */
export class HeightHelp {
  readonly #options: HeightHelpOptions;

  constructor(options: HeightHelpOptions) {
    this.#options = options;
  }

  /** Sends a proposed block to a peer that has votes for it and not the block. */
  sendProposal(peer: Address, blockHash: Hash): void {
    const { machine, blocks, network } = this.#options;
    const known = blocks.find(blockHash);
    const proposals = machine.rounds().flatMap((round) => machine.proposalsFor(round));
    const proposal = proposals.findLast((one) => one.blockHash === blockHash);
    if (known !== undefined && proposal !== undefined) network.send(peer, proposalMessage(proposal, known.executable));
  }

  /** Sends what a peer at this height may have missed. */
  sendAll(peer: Address): void {
    const { machine, blocks, network } = this.#options;
    for (const round of machine.rounds()) {
      for (const proposal of machine.proposalsFor(round)) {
        const known = blocks.find(proposal.blockHash);
        if (known !== undefined) network.send(peer, proposalMessage(proposal, known.executable));
      }
      const votes = machine.votesFor(round);
      if (votes.length > 0) network.send(peer, { kind: 'voteCertificate', votes });
    }
  }

  /** Asks those who voted for a block that is not here. */
  askForProposal(round: Round, blockHash: Hash): void {
    const { machine, network } = this.#options;
    const voters = machine.votesFor(round).filter((vote) => vote.blockHash === blockHash);
    let asked = 0;
    // Who has no connection to any of them asks whom it has.
    const others = network.peers().map(({ address }) => address);
    for (const validator of new Set([...voters.map((vote) => vote.validator), ...others])) {
      if (asked >= proposalRequestsMax) return;
      if (network.send(validator, { kind: 'bodiesRequest', blockHash, hashes: [] })) asked += 1;
    }
  }
}
