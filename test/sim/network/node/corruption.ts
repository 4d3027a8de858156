import {
  headerHash,
  type Proposal,
  proposalSignDigest,
  type StoredBlock,
  type Vote,
  voteSignDigest,
} from '@prime/codec';
import type { PeerMessage, ProposalMessage } from '@prime/engine';
import {
  type Address,
  type Hash,
  type Height,
  parseHash,
  type Prng,
  type Round,
  type TimestampMs,
} from '@prime/primitives';
import type { FaultName } from '../coverage.ts';
import type { World } from '../world.ts';

/** What a validator that breaks the rules says in place of a message of its own; several messages, or none. */
export type Corruption = (message: PeerMessage) => readonly PeerMessage[];

const forged = ({ block, certificate }: StoredBlock): StoredBlock => {
  const header = { ...block.header, timestampMs: (block.header.timestampMs + 1) as TimestampMs };
  const hash = headerHash(header);
  return { block: { ...block, header }, hash, certificate: { ...certificate, blockHash: hash } };
};

/** Signs whatever it likes with its own key: other votes, other blocks, blocks against the rules, floods, or keeps silent. */
export function createCorruption(world: World, address: Address, prng: Prng): Corruption {
  const { genesis, genesisHash, provider, keys } = world;
  const sign = (digest: Uint8Array): Uint8Array => provider.sign(digest, keys.get(address)![0]!);
  const signedVote = (fields: Omit<Vote, 'signature'>): Vote => ({
    ...fields,
    signature: sign(voteSignDigest(genesis.chainId, genesisHash, fields)),
  });
  const signedProposal = (fields: Omit<Proposal, 'signature'>): Proposal => ({
    ...fields,
    signature: sign(proposalSignDigest(genesis.chainId, genesisHash, fields)),
  });
  const anyHash = (): Hash => parseHash(`0x${prng.next().toString(16).padStart(64, 'e')}`);

  const otherVote = (vote: Vote): PeerMessage => {
    const blockHash = vote.blockHash === null || prng.chance(1, 2) ? anyHash() : null;
    return { kind: 'vote', vote: signedVote({ ...vote, blockHash }) };
  };
  const flood = (vote: Vote): PeerMessage[] =>
    Array.from({ length: 5 }, (_, index) => {
      const height = (prng.chance(1, 2) ? vote.height : vote.height + prng.below(3)) as Height;
      const round = (vote.round + index + prng.below(50)) as Round;
      return { kind: 'vote', vote: signedVote({ ...vote, height, round, blockHash: anyHash() }) };
    });
  const otherBlock = (message: ProposalMessage): PeerMessage => {
    const { header } = message;
    const isInvalid = prng.chance(1, 2);
    const changed = isInvalid
      ? { ...header, parentResults: { ...header.parentResults, stateRoot: anyHash() } }
      : { ...header, timestampMs: (header.timestampMs + 1 + prng.below(3_000)) as TimestampMs };
    const blockHash = headerHash(changed);
    if (isInvalid) {
      world.invalidBlocks.add(blockHash);
      world.seen.invalidBlocks += 1;
    }
    const proposal = signedProposal({ ...message.proposal, proposer: address, blockHash });
    return { ...message, header: changed, proposal };
  };

  const counted = (what: FaultName, said: readonly PeerMessage[]): readonly PeerMessage[] => {
    world.seen[what] += 1;
    return said;
  };
  return (message) => {
    const dice = prng.below(8);
    if (dice === 0) return counted('silences', []);
    if (message.kind === 'vote' && message.vote.validator === address) {
      if (dice === 1) return counted('otherVotes', [otherVote(message.vote)]);
      if (dice === 2) return counted('doubleVotes', [message, otherVote(message.vote)]);
      if (dice === 3) return counted('voteFloods', [message, ...flood(message.vote)]);
    }
    if (message.kind === 'proposal' && message.proposal.proposer === address) {
      if (dice === 1) return counted('otherBlocks', [otherBlock(message)]);
      if (dice === 2) return counted('doubleBlocks', [message, otherBlock(message)]);
    }
    if (message.kind === 'chunk' && dice === 1 && prng.chance(1, 5) && message.bytes.length > 0) {
      const bytes = message.bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
      return counted('forgedChunks', [{ ...message, bytes }]);
    }
    if (message.kind === 'headers' && dice === 1 && prng.chance(1, 3) && message.headers.length > 0) {
      const last = message.headers.at(-1)!;
      const other = { ...last, parentResults: { ...last.parentResults, stateRoot: anyHash() } };
      const certificate = message.certificate && { ...message.certificate, blockHash: headerHash(other) };
      return counted('forgedHeaders', [{ ...message, headers: message.headers.with(-1, other), certificate }]);
    }
    // The blocks that others ask for, with another one's certificate.
    if (message.kind === 'blocks' && dice < 3 && message.blocks.length > 1) {
      const [first, second, ...rest] = message.blocks;
      const blocks = [{ ...first!, certificate: second!.certificate }, second!, ...rest];
      return counted('wrongCertificates', [{ ...message, blocks }]);
    }
    // Or a block that nobody decided, with the signatures of the one that they did.
    if (message.kind === 'blocks' && dice < 6 && message.blocks.length > 0) {
      const [first, ...rest] = message.blocks;
      return counted('forgedBlocks', [{ ...message, blocks: [forged(first!), ...rest] }]);
    }
    return [message];
  };
}
