import type { ExecutableBlock, ExecutionRoots, ExecutionStatus, Genesis } from '@prime/codec';
import { genesisHash } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import type { Execution } from '@prime/engine';
import {
  bytesToHash,
  concatBytes,
  type Hash,
  type Height,
  hexToBytes,
  type Prng,
  utf8ToBytes,
} from '@prime/primitives';
import { Violation } from '../observer.ts';
import type { NodeDisk } from './disk.ts';
import type { VirtualTime } from './time.ts';

/** Checked blocks that are kept, as the real pipeline keeps a few. */
const checkedBlocksMax = 8;

const rootsOf = (bytes: Uint8Array): ExecutionRoots => {
  const root = bytesToHash(bytes);
  return { stateRoot: root, receiptsRoot: root, eventsRoot: root, gasUsed: 0n };
};

const genesisStatus = (genesis: Genesis): ExecutionStatus => ({
  height: 0 as Height,
  hash: genesisHash(genesis),
  roots: rootsOf(keccak256(utf8ToBytes('genesis'))),
  nextBaseFee: genesis.evm.initialBaseFee,
});

/**
 * Execution as a hash chain over blocks: the same blocks give the same roots, and any difference shows in the next header. Each
 * call takes its time; calls are carried out in order.
 */
export function createExecution(options: {
  readonly genesis: Genesis;
  readonly disk: NodeDisk;
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly isAlive: () => boolean;
}): Execution {
  const { genesis, disk, time, prng, isAlive } = options;
  const head = (): ExecutionStatus => disk.states.at(-1) ?? genesisStatus(genesis);
  const checked = new Map<Hash, ExecutableBlock>();
  const known = (hash: Hash): ExecutableBlock => {
    const block = checked.get(hash);
    if (block !== undefined) return block;
    throw Object.assign(new Error(`block ${hash} was not checked`), { code: 'CHAIN_UNKNOWN_BLOCK' });
  };
  const apply = (block: ExecutableBlock): ExecutionRoots =>
    rootsOf(keccak256(concatBytes(hexToBytes(head().roots.stateRoot), hexToBytes(block.hash))));
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Result): Promise<Result> => {
    const turn = last.then(async () => {
      await time.sleep(prng.below(4));
      // A process that is gone does not answer.
      if (!isAlive()) await new Promise(() => undefined);
      return work();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    status: () => inTurn(head),
    check: (block) =>
      inTurn(() => {
        const { parentResults, parentHash } = block.block.header;
        if (parentHash !== head().hash) return { ok: false, diverged: false, reason: 'parent' };
        if (parentResults.stateRoot !== head().roots.stateRoot)
          return { ok: false, diverged: true, reason: 'state root' };
        for (const oldest of checked.keys()) {
          if (checked.size < checkedBlocksMax || checked.has(block.hash)) break;
          checked.delete(oldest);
        }
        checked.set(block.hash, block);
        return { ok: true };
      }),
    execute: (hash) => inTurn(() => apply(known(hash))),
    commit: (hash) =>
      inTurn(() => {
        const block = known(hash);
        const { height } = block.block.header;
        if (disk.blocks[height - 1]?.hash !== hash)
          throw new Violation(`block ${height} is executed for good, and shown, before it is durable`);
        const status = { height, hash, roots: apply(block), nextBaseFee: genesis.evm.initialBaseFee };
        disk.states.push(status);
        checked.clear();
        return { ...status, accounts: [] };
      }),
  };
}
