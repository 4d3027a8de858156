import { ordersAddress } from '@prime/codec';
import { ordersRootSlot } from '@prime/predeploy';
import { Answer } from './rpc/answer.ts';
import { allInOrder, type AuditedNode, type Call, toHex } from './rpc/call.ts';
import { type Finding, finding, seconds } from './finding.ts';

/** What nodes say about the chain, compared with each other: one block at each height, one state root, no long pause. */

/** What a node says about a block. */
export interface BlockClaim {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly stateRoot: string;
}

/** What one node said about all blocks. */
export interface ChainView {
  /** Place in the list of names. */
  readonly validator: number;
  /** In the order of heights; twice where it told different things. */
  readonly blocks: readonly BlockClaim[];
  /** How often it began with a snapshot: each time it may lack blocks. */
  readonly snapshots: number;
  /** First height that it keeps, where it has deleted earlier ones or never had them; absent where it keeps all. */
  readonly keptFrom?: number;
  /** Orders root at the last common height. */
  readonly ordersRoot: string;
}

interface ChainViews {
  /** Of all nodes. */
  readonly names: readonly string[];
  readonly views: readonly ChainView[];
  /** Height that was asked for first; 1 where it is left out. */
  readonly from?: number;
}

/**
 * One block at each height, on every validator, each the child of the one before it. What a node keeps no more is no violation: the hash of each later block
 * stands for it.
 */
export function agreement({ views, names, from = 1 }: ChainViews): Finding {
  const violations = absent(views, names);
  const expected = blocksByHeight(views);
  const heads = views.map(({ blocks }) => blocks.at(-1)?.height ?? 0);
  if (new Set(heads).size > 1) violations.push(`nodes end at different heights: ${heads.join(', ')}`);
  for (const { validator, blocks, snapshots, keptFrom = from } of views) {
    const name = names[validator];
    const holes: string[] = [];
    let next = Math.max(from, keptFrom);
    for (const block of blocks) {
      const { hash, by } = expected.get(block.height)!;
      if (block.height > next) holes.push(`${next} to ${block.height - 1}`);
      next = block.height + 1;
      if (hash !== block.hash)
        violations.push(`fork at height ${block.height}: ${names[by]} has ${hash}, ${name} has ${block.hash}`);
      const parent = expected.get(block.height - 1);
      if (parent !== undefined && block.parentHash !== parent.hash)
        violations.push(`block ${block.height} of ${name} is not the child of block ${parent.height}`);
    }
    if (holes.length > snapshots) violations.push(`${name} never had blocks ${holes.join(', ')}`);
  }
  return finding(
    'agreement',
    `${heads.length === 0 ? 0 : Math.min(...heads) - from + 1} blocks on ${nodes(views)}${views.map((view) => keptWords(view, names)).join('')}`,
    violations,
  );
}

const keptWords = ({ keptFrom, validator }: ChainView, names: readonly string[]): string =>
  keptFrom === undefined ? '' : `; ${names[validator]} keeps blocks from ${keptFrom} on`;

/** Who is asked first says what a block should be. */
function blocksByHeight(views: readonly ChainView[]): Map<number, BlockClaim & { readonly by: number }> {
  const blocks = new Map<number, BlockClaim & { readonly by: number }>();
  for (const { validator: by, blocks: own } of views)
    for (const block of own) if (!blocks.has(block.height)) blocks.set(block.height, { ...block, by });
  return blocks;
}

const nodes = ({ length }: readonly ChainView[]): string => `${length} nodes`;

const absent = (views: readonly ChainView[], names: readonly string[]): string[] =>
  names
    .filter((_, index) => !views.some(({ validator }) => validator === index))
    .map((name) => `${name} did not answer in the end`);

/** Equal state root at every height, equal orders root in the end. */
export function roots({ views, names }: ChainViews): Finding {
  const violations: string[] = [];
  const [first] = views;
  const expected = blocksByHeight(views);
  let compared = 0;
  for (const { validator, blocks, ordersRoot } of views) {
    for (const { height, stateRoot } of blocks) {
      const { stateRoot: right, by } = expected.get(height)!;
      compared += 1;
      if (right !== stateRoot)
        violations.push(`state root ${height}: ${names[by]} has ${right}, ${names[validator]} has ${stateRoot}`);
    }
    if (ordersRoot !== first!.ordersRoot)
      violations.push(
        `orders root: ${names[first!.validator]} has ${first!.ordersRoot}, ${names[validator]} has ${ordersRoot}`,
      );
  }
  return finding('state and orders roots', `${compared} state roots, ${views.length} orders roots`, violations);
}

/** Heights that are asked for at once. */
const width = 16;
const method = 'eth_getBlockByNumber';

/** The claim that an answer to eth_getBlockByNumber is; null where there is no such block. @throws AuditError `AUDIT_ANSWER_UNREADABLE` */
export function blockClaimOf(result: unknown): BlockClaim | null {
  const block = new Answer(method, result);
  if (block.isNull) return null;
  return {
    height: block.field('number').number(),
    hash: block.field('hash').hash(),
    parentHash: block.field('parentHash').hash(),
    stateRoot: block.field('stateRoot').hash(),
  };
}

/** Why a node can not tell of a block: it never had it, or keeps it no more. Null where it can. */
export async function whyNoBlock({ call }: AuditedNode, height: number): Promise<string | null> {
  try {
    return blockClaimOf(await call(method, [toHex(height), false])) === null ? `it has no block ${height}` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** EIP-4444: the node keeps the block no more, or began with a snapshot behind it. */
const prunedCode = 4444;
const isPruned = (error: unknown): boolean => (error as { readonly code?: unknown } | null)?.code === prunedCode;

/** What a node tells of blocks `from` to `to`, as far as it has them. @param onPruned called for each that it keeps no more; without it that is an error */
export async function readBlockClaims(
  call: Call,
  from: number,
  to: number,
  onPruned?: (height: number) => void,
): Promise<BlockClaim[]> {
  const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const claims = await allInOrder(heights, width, async (height) => {
    try {
      return blockClaimOf(await call(method, [toHex(height), false]));
    } catch (error) {
      if (onPruned === undefined || !isPruned(error)) throw error;
      onPruned(height);
      return null;
    }
  });
  return claims.filter((claim) => claim !== null);
}

/**
 * Hashes and state roots of all heights up to one that every node has, and the orders root there, from all nodes. One that does not answer has no view, which
 * the rules tell.
 */
export async function readChainViews(
  nodes: readonly AuditedNode[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ChainView[]> {
  const views = await Promise.allSettled(
    nodes.map(async ({ call }, validator): Promise<ChainView> => {
      const slot = new Answer(
        'eth_getStorageAt',
        await call('eth_getStorageAt', [ordersAddress, ordersRootSlot, toHex(to)]),
      );
      let pruned = 0;
      const told = await readBlockClaims(call, from, to, (height) => (pruned = Math.max(pruned, height)));
      // Deletion goes on meanwhile: some below the last one that is gone may have been told.
      const blocks = told.filter(({ height }) => height > pruned);
      const view = { validator, blocks, snapshots: 0, ordersRoot: slot.hash() };
      return pruned === 0 ? view : { ...view, keptFrom: blocks[0]?.height ?? to + 1 };
    }),
  );
  return views.flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []));
}

/** When a block came: its own time, or when somebody saw it. */
export interface BlockTime {
  readonly height: number;
  /** On one clock for all of them. */
  readonly atMs: number;
}

/**
 * No longer without a block than the rules allow.
 *
 * @param blocks in the order of heights
 * @param isExcused pauses that nobody is to blame for, by their begin and end
 */
export function progress(
  blocks: readonly BlockTime[],
  longestMs: number,
  isExcused: (fromMs: number, toMs: number) => boolean = () => false,
): Finding {
  const pauses = blocks
    .slice(1)
    .map(({ height, atMs }, index) => ({ height, fromMs: blocks[index]!.atMs, toMs: atMs }));
  const judged = pauses
    .filter(({ fromMs, toMs }) => !isExcused(fromMs, toMs))
    .map(({ height, fromMs, toMs }) => ({ height, ms: toMs - fromMs }));
  const violations = judged
    .filter(({ ms }) => ms > longestMs)
    .map(({ height, ms }) => `no block for ${seconds(ms)} before block ${height}, at most ${seconds(longestMs)}`);
  const longest = judged.reduce((most, { ms }) => Math.max(most, ms), 0);
  const excused = pauses.length - judged.length;
  const more = excused === 0 ? '' : `; ${excused} pauses were excused`;
  return finding('progress', `${blocks.length} blocks, longest pause ${seconds(longest)}${more}`, violations);
}
