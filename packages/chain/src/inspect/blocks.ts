import {
  type Genesis,
  genesisHash,
  headerHash,
  type StoredBlock,
  type ValidatorSet,
  validatorsHash,
} from '@prime/codec';
import { validatorsFromGenesis, verifyCommitCertificate } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Hash, Height } from '@prime/primitives';
import { isWholeBlock } from '../pipeline/wholeBlock.ts';
import { Faults } from './faults.ts';

/** Blocks as they are stored. */
export interface InspectedBlocks {
  base(): Height;
  head(): Height;
  get(height: Height): StoredBlock | null;
  heightOf(hash: Hash): Height | null;
  validators(height: Height): ValidatorSet | null;
}

/** Outcome of a walk through the block store; no faults is a good one. */
export interface BlockFindings {
  /** The blocks that were looked at; from > to where there are none. */
  readonly from: Height;
  readonly to: Height;
  readonly faults: readonly string[];
}

/**
 * Checks stored blocks one by one: that each is there, hangs on the one before, holds what its header commits to, is found by its hash, and
 * was decided by the validators of its height, which are those that it names.
 *
 * @param newest how many, from the head down; null looks at all
 * @throws what reading throws when the disk fails
 */
export async function inspectBlocks(
  blocks: InspectedBlocks,
  { genesis, provider }: { readonly genesis: Genesis; readonly provider: CryptoProvider },
  newest: number | null = null,
): Promise<BlockFindings> {
  const faults = new Faults();
  const to = (await faults.attempt('head', () => blocks.head())) ?? (0 as Height);
  const base = (await faults.attempt('oldest block', () => blocks.base())) ?? (1 as Height);
  const from = Math.max(base, newest === null ? base : to - newest + 1) as Height;
  const context = { genesis, genesisHash: genesisHash(genesis), provider };
  let parent: Hash | null = from === 1 ? context.genesisHash : null;
  for (let height: number = from; height <= to && !faults.isFull; height++) {
    const at = height as Height;
    const found = await faults.attempt(`block ${at}`, () => {
      const stored = blocks.get(at);
      faults.add(...faultsOf(blocks, at, stored, { parent, ...context }));
      return stored;
    });
    parent = found?.hash ?? null;
  }
  if (to > 0) await faults.attempt(`validators after block ${to}`, () => checkNextValidators(blocks, to, faults));
  return { from, to, faults: faults.list };
}

interface BlockContext {
  /** Null where the parent is not known. */
  readonly parent: Hash | null;
  readonly genesis: Genesis;
  readonly genesisHash: Hash;
  readonly provider: CryptoProvider;
}

function faultsOf(
  blocks: InspectedBlocks,
  height: Height,
  stored: StoredBlock | null,
  { parent, genesis, ...certificates }: BlockContext,
): string[] {
  if (stored === null) return [`block ${height} is missing`];
  const { block, hash, certificate } = stored;
  const { header } = block;
  const faults: string[] = [];
  const check = (holds: boolean, reason: string): void => {
    if (!holds) faults.push(`block ${height}: ${reason}`);
  };
  check(headerHash(header) === hash, 'its header is not the one of its hash');
  check(header.chainId === genesis.chainId, `it is of chain ${header.chainId}`);
  check(parent === null || header.parentHash === parent, 'it does not hang on the block before');
  check(isWholeBlock(block), 'it holds something else than its header says');
  check(blocks.heightOf(hash) === height, 'it is not found by its hash');
  // Those of the first block are nowhere but in genesis.
  const set = blocks.validators(height) ?? (height === 1 ? validatorsFromGenesis(genesis.validators) : null);
  check(set !== null, 'the validators of its height are missing');
  if (set === null) return faults;
  check(validatorsHash(set.validators) === header.validatorsHash, 'its validators are others than its header says');
  const verdict = verifyCommitCertificate(certificate, set, {
    ...certificates,
    chainId: genesis.chainId,
    expected: { height, blockHash: hash },
  });
  check(verdict.ok, `its certificate does not prove it: ${verdict.ok ? '' : verdict.refusal.code}`);
  return faults;
}

function checkNextValidators(blocks: InspectedBlocks, head: Height, faults: Faults): void {
  const set = blocks.validators((head + 1) as Height);
  const header = blocks.get(head)?.block.header;
  if (set === null) faults.add(`the validators after block ${head} are missing`);
  else if (header !== undefined && validatorsHash(set.validators) !== header.nextValidatorsHash)
    faults.add(`the validators after block ${head} are others than its header says`);
}
