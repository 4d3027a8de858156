import type { ValidatorSet } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import type { EngineLog } from '../log.ts';
import type { PeerNetwork } from '../ports.ts';
import type { BlockSyncOptions } from './blockSync.ts';

/** What spares a peer from a ban for slowness: a validator of the next height, or one that the operator lists, stays connected. */
export interface SanctionsOptions {
  readonly network: Pick<PeerNetwork, 'peers' | 'punish'>;
  readonly log: Pick<EngineLog, 'warn'>;
  /** The head, and the validators of the next height. */
  readonly tip: { readonly height: Height; readonly validators: ValidatorSet };
}

/**
 * What becomes of peers that lie, or that cost block sync more than they give. Votes matter more than blocks that others have too: of the latter, who takes
 * part in the next height, or was named by the operator, stays connected.
 */
export function createSanctions({ network, log, tip }: SanctionsOptions): Pick<BlockSyncOptions, 'ban' | 'burden'> {
  const isNeeded = (peer: Address): boolean =>
    tip.validators.validators.some(({ address }) => address === peer) ||
    network.peers().some(({ address, listed }) => address === peer && listed === true);
  return {
    ban(peer, reason) {
      log.warn('a peer is banned from block sync', { peer, height: tip.height + 1, reason });
      network.punish(peer, reason);
    },
    burden(peer, reason) {
      if (isNeeded(peer)) return log.warn('a slow peer is not asked for blocks for a while', { peer, reason });
      log.warn('a slow peer is banned', { peer, reason });
      network.punish(peer, reason, 'slow');
    },
  };
}
