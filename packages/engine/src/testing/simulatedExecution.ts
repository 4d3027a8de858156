import { type Evidence, type ExecutableBlock, type ExecutionStatus, type Genesis, genesisHash } from '@prime/codec';
import { accusedOf, type EvidenceVerdict } from '@prime/consensus';
import { keccak256 } from '@prime/crypto';
import { bytesToHash, concatBytes, type Hash, type Height, hexToBytes, utf8ToBytes } from '@prime/primitives';
import type { Execution } from '../ports.ts';
import type { Disk } from './disk.ts';

/** Execution as a hash chain over blocks: the same blocks give the same roots, any difference shows. */
export function createExecution(
  genesis: Genesis,
  disk: Disk,
  checkedBlocksMax: number,
  registeredAfter: Registry,
): Execution {
  const start: ExecutionStatus = {
    height: 0 as Height,
    hash: genesisHash(genesis),
    roots: rootsOf(keccak256(utf8ToBytes('genesis'))),
    nextBaseFee: genesis.evm.initialBaseFee,
    ...registeredAfter(0 as Height),
  };
  const head = (): ExecutionStatus => disk.states.at(-1) ?? start;
  const checked = new Map<Hash, ExecutableBlock>();
  const known = (hash: Hash): ExecutableBlock => {
    const block = checked.get(hash);
    if (block !== undefined) return block;
    throw Object.assign(new Error(`block ${hash} was not checked`), { code: 'CHAIN_UNKNOWN_BLOCK' });
  };
  const apply = (block: ExecutableBlock) =>
    rootsOf(keccak256(concatBytes(hexToBytes(head().roots.stateRoot), hexToBytes(block.hash))));
  return {
    status: async () => head(),
    check: async (block) => {
      await disk.beforeCheck();
      const { header } = block.block;
      if (header.parentResults.stateRoot !== head().roots.stateRoot)
        return { ok: false, diverged: true, reason: 'state root' };
      if (block.block.evidence.some((piece) => !judge(disk, piece).ok))
        return { ok: false, diverged: false, reason: 'evidence' };
      if (header.parentHash !== head().hash) return { ok: false, diverged: false, reason: 'parent' };
      disk.checks += 1;
      for (const oldest of checked.keys()) {
        if (checked.size < checkedBlocksMax || checked.has(block.hash)) break;
        checked.delete(oldest);
      }
      checked.set(block.hash, block);
      return { ok: true };
    },
    judgeEvidence: async (evidence) => evidence.map((piece) => judge(disk, piece)),
    commit: async (hash, _certificate, behind) => {
      const block = known(hash);
      disk.behind.push(behind);
      const status = {
        height: block.block.header.height,
        hash,
        roots: apply(block),
        nextBaseFee: genesis.evm.initialBaseFee,
        ...registeredAfter(block.block.header.height),
      };
      disk.states.push(status);
      checked.clear();
      return { ...status, accounts: [], transactionGas: block.transactions.map(({ gasLimit }) => Number(gasLimit)) };
    },
  };
}

/** As the staking state would, but for signatures and age: a validator is convicted once. */
function judge(disk: Disk, evidence: Evidence): EvidenceVerdict {
  const validator = accusedOf(evidence);
  const isConvicted = disk.blocks.some(({ block }) => block.evidence.some((piece) => accusedOf(piece) === validator));
  if (isConvicted) return { ok: false, reason: 'convicted', forged: false };
  return evidence.first.height <= disk.blocks.length
    ? { ok: true, validator }
    : { ok: false, reason: 'early', forged: false };
}

const rootsOf = (bytes: Uint8Array) => {
  const root = bytesToHash(bytes);
  return { stateRoot: root, receiptsRoot: root, eventsRoot: root, gasUsed: 0n };
};

/** What execution tells of validators after a block. */
export type Registry = (height: Height) => Pick<ExecutionStatus, 'validators'>;
