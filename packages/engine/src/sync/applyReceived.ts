import type { StoredBlock } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Height } from '@prime/primitives';
import type { ChainTip } from '../chain/chainTip.ts';
import type { SigningDomain } from '../signing/signing.ts';
import type { WrongBlock } from './blockSync.ts';
import type { ReceivedBlock } from './scheduler.ts';
import { proveSegment } from './segment.ts';

/** What received blocks are proven with, and who executes them. */
export interface ReceivedBlockPorts {
  readonly head: () => Height;
  readonly isStopped: () => boolean;
  readonly tip: ChainTip;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  /** Executes and stores a block that was decided; the head is at its height then. @throws EngineError `ENGINE_UNCERTIFIED_BLOCK` */
  readonly apply: (decided: StoredBlock) => Promise<void>;
}

/**
 * Proves and applies blocks of peers, segment after segment, until one is wrong or missing.
 *
 * @returns the wrong one; an error that is nobody's lie is thrown
 */
export async function applyReceived(
  received: readonly ReceivedBlock[],
  { head, isStopped, tip, domain, provider, apply }: ReceivedBlockPorts,
): Promise<WrongBlock | null> {
  const missing = (): readonly ReceivedBlock[] => {
    const rest = received.filter(({ stored }) => stored.block.header.height > head());
    return rest[0]?.stored.block.header.height === head() + 1 ? rest : [];
  };
  for (let rest = missing(); rest.length > 0 && !isStopped(); rest = missing()) {
    const verdict = proveSegment(rest, { parent: tip.context().head, validators: tip.validators, domain, provider });
    if (!verdict.ok) return verdict;
    for (const { peer, stored } of verdict.proven) {
      if (isStopped()) return null;
      try {
        await apply(stored);
      } catch (error) {
        // A body that is not the header's blames the peer; a certified block that breaks the rules stops the node.
        if ((error as { code?: unknown }).code !== 'ENGINE_UNCERTIFIED_BLOCK') throw error;
        return { peer, reason: `wrong block: ${String(error)}` };
      }
    }
  }
  return null;
}
