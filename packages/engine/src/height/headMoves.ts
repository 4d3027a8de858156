import type { CommitCertificate, CommitOutcome, ExecutableBlock } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import { SerialQueue } from '@prime/primitives';
import type { BlockRoom } from '../block/blockRoom.ts';
import type { ChainTip } from '../chain/chainTip.ts';
import { applyDecided, commitDecided, type DecidedContext } from '../block/decided.ts';
import type { Heights } from './heights.ts';
import type { EngineMetrics } from '../metrics.ts';
import type { BlockStore, Execution, StoredBlock, Verifier } from '../ports.ts';
import type { ProtocolGate } from '../chain/protocol.ts';
import type { SigningDomain } from '../signing/signing.ts';
import type { EngineStages } from '../stages.ts';
import type { StatusTeller } from '../status/statusTeller.ts';
import { applyReceived } from '../sync/applyReceived.ts';
import type { BlockSync, ReceivedBlock, WrongBlock } from '../sync/blockSync.ts';

/** What takes part when a decided block becomes the head: disk, execution, and the height that follows. */
export interface HeadMovesOptions {
  readonly tip: ChainTip;
  readonly protocol: ProtocolGate;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  readonly blocks: BlockStore;
  readonly execution: Execution;
  readonly verifier: Verifier;
  readonly room: BlockRoom;
  readonly heights: Pick<Heights, 'begin' | 'end' | 'leave'>;
  readonly sync: Pick<BlockSync, 'behind'>;
  readonly teller: Pick<StatusTeller, 'tellSoon'>;
  readonly stages: Pick<EngineStages, 'durable'>;
  readonly metrics: Pick<EngineMetrics, 'committed' | 'executed'>;
  /** The tip is at a block that is durable and executed. */
  readonly onMoved: (stored: StoredBlock, executable: ExecutableBlock, outcome: CommitOutcome) => void;
}

/** How the head moves: one block at a time becomes durable, then executed for good, then visible. It was decided here, fetched, or stored before. */
export class HeadMoves {
  readonly #options: HeadMovesOptions;
  readonly #queue = new SerialQueue();
  #stopped = false;

  constructor(options: HeadMovesOptions) {
    this.#options = options;
  }

  /** Whether a decided block is just being made durable, or blocks are applied. */
  get isMoving(): boolean {
    return this.#queue.size > 0;
  }

  /** The height in progress decided: its block is committed, and the next height begins. Nothing happens where the block was fetched meanwhile. */
  decide(certificate: CommitCertificate, executable: ExecutableBlock): Promise<void> {
    const { heights, room, metrics, tip, teller } = this.#options;
    heights.end();
    return this.#queue.run(async () => {
      const { block, hash } = executable;
      if (block.header.height !== tip.height + 1) return;
      await room.watch(block, () => this.#commit({ block, hash, certificate }, executable, true));
      metrics.committed(block, certificate.round);
      heights.begin();
      teller.tellSoon();
    });
  }

  /** Executes a block that was stored before this process began. @throws EngineError as {@link applyDecided} */
  readonly applyStored = async (stored: StoredBlock): Promise<void> => {
    const { sync, blocks } = this.#options;
    const behind = sync.behind(stored.block.header, blocks.head());
    await this.#commit(stored, await applyDecided(stored, this.#context()), false, behind);
  };

  /** Proves and applies blocks of peers. @returns the first wrong one, null when there is none */
  applyReceived(received: readonly ReceivedBlock[]): Promise<WrongBlock | null> {
    const { tip, domain, provider } = this.#options;
    return this.#queue.run(() =>
      applyReceived(received, {
        head: () => tip.height,
        isStopped: () => this.#stopped,
        tip,
        domain,
        provider,
        apply: (decided) => this.#applyProven(decided),
      }),
    );
  }

  /** No more blocks of peers are applied. Resolves when the head moves no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#queue.idle();
  }

  async #applyProven(stored: StoredBlock): Promise<void> {
    const { heights, sync, protocol, tip } = this.#options;
    const executable = await applyDecided(stored, this.#context(), 'proven');
    // Not before the block is here as a whole: whoever could stop a height with less could keep this node from voting.
    heights.end();
    await this.#commit(stored, executable, true, sync.behind(stored.block.header));
    protocol.check(tip.height);
  }

  /** Durable first, then executed for good, then visible. */
  async #commit(stored: StoredBlock, executable: ExecutableBlock, append: boolean, behind = 0): Promise<CommitOutcome> {
    const { blocks, execution, tip, heights, stages, metrics, onMoved } = this.#options;
    if (append) await blocks.append(stored, tip.nextValidators);
    if (append) stages.durable(stored);
    const outcome = await commitDecided(execution, stored, executable, behind);
    heights.leave();
    tip.move(outcome, stored, append);
    onMoved(stored, executable, outcome);
    if (append) metrics.executed(stored.block);
    return outcome;
  }

  /** Of the block after the tip. */
  #context(): DecidedContext {
    const { tip, protocol, domain, provider, execution, verifier } = this.#options;
    return {
      height: tip.context(),
      protocol: protocol.schedule,
      domain,
      provider,
      checkLastCommit: tip.checkLastCommit,
      execution,
      verifier,
    };
  }
}
