import type { ConsensusMachine } from '@prime/consensus';
import type { Round } from '@prime/primitives';

/** Why a round decided nothing, as far as this node knows when it leaves it. */
export function whyFailed(machine: ConsensusMachine, round: Round): string {
  const [proposal] = machine.proposalsFor(round);
  if (proposal === undefined) return 'no proposal came in time';
  const prevotes = machine.votesFor(round).filter(({ type }) => type === 'prevote');
  if (machine.hasQuorum('prevote', round, proposal.blockHash)) return 'precommits came late';
  const forNothing = prevotes.filter(({ blockHash }) => blockHash === null).length;
  return forNothing > 0 ? `${forNothing} of ${prevotes.length} prevotes were for no block` : 'prevotes came late';
}
