import type { Endpoint } from '@prime/bus';
import { type BlockDelta, flatDelta } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { EvmToGateway } from '../threads/protocols.ts';

/** The gateway says every so many blocks how far it is: an answer to each delta would wake the execution thread once more a block. */
const takenInterval = 8;
/** Blocks whose deltas the gateway has not taken yet; execution waits for it beyond these. At least twice the interval. */
const untakenMax = 16;

/** Whether the gateway says that it has taken a block. */
export const isTakenTold = (height: Height): boolean => height % takenInterval === 0;

/** Tells the gateway of blocks; waits only when it is far behind. */
export interface DeltaFeed {
  /** @param behind decided blocks after it that are known to be missing here */
  tell(delta: BlockDelta, behind: number): Promise<void>;
  onTaken(height: Height): void;
  /** The link to the gateway is over: nobody is waited for. */
  onClosed(): void;
}

/**
 * @param gateway asked for late: the link needs handlers of the feed
 * @param fatal told what could not be sent, unless the gateway has ended: it stops first, blocks that are decided until consensus
 *   stops are durable, and nobody asks about them
 */
export function createDeltaFeed(
  gateway: () => Pick<Endpoint<EvmToGateway>, 'sendReliable'>,
  fatal: (error: unknown) => void,
): DeltaFeed {
  let taken: number | null = null;
  let isClosed = false;
  let release = (): void => undefined;
  return {
    async tell(delta, behind) {
      const { height } = delta.block.header;
      taken ??= height - 1;
      try {
        gateway().sendReliable('delta', { delta: flatDelta(delta), behind });
      } catch (error) {
        if (!isClosedByPeer(error)) fatal(error);
        return;
      }
      while (!isClosed && height - taken > untakenMax)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
    },
    onTaken(height) {
      taken = height;
      release();
    },
    onClosed() {
      isClosed = true;
      release();
    },
  };
}

const isClosedByPeer = (error: unknown): boolean => {
  const { code, reason } =
    (error as { readonly detail?: { readonly code?: string; readonly reason?: string } }).detail ?? {};
  return code === 'BUS_CLOSED' && reason === 'peerClosed';
};
