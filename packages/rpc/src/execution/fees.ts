import type { Receipt } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { MethodContext } from '../define.ts';
import type { BlockRecord } from '../ports/ports.ts';

/** Tip suggestion and fee history. */

/** Price of blob gas, wei: the least that EIP-4844 has. Without blobs it never rises, and BLOBBASEFEE in a contract says the same. */
export const blobBaseFee = 1n;

/** Blocks and cheapest tips of each that the suggestion looks at, as go-ethereum's oracle does. */
const sampledBlocks = 20;
const tipsPerBlock = 3;
const suggestedPercentile = 60;
/** Tips below this, wei, say nothing: tools that find no recent tip send 1 wei, and would hold each other there. */
const telltaleTipMin = 2n;
/** No suggestion above this, wei: a chain full of overpayers must not teach wallets to overpay. */
const priorityFeeMax = 500_000_000_000n;

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

interface BlockFees {
  readonly record: BlockRecord;
  readonly receipts: readonly Receipt[];
}

async function blockFees({ ports }: MethodContext, height: Height): Promise<BlockFees | null> {
  const record = await ports.chain.blockByHeight(height);
  if (record === null) return null;
  const receipts = record.block.transactions.length === 0 ? [] : await ports.chain.receipts(height);
  return { record, receipts };
}

const present = <T>(value: T | null): value is T => value !== null;

/** Heights `from` to `to`, in order, both included. */
const heights = (from: number, to: number): Height[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => (from + offset) as Height);

/** What a transaction paid its proposer per gas, wei. */
const tipOf = (fees: BlockFees, receipt: Receipt): bigint =>
  receipt.effectiveGasPrice - fees.record.block.header.baseFee;

/** Tip per gas, wei, at the 60th percentile of the cheapest that recent blocks took. */
export async function suggestedPriorityFee(context: MethodContext): Promise<bigint> {
  const newest = (await context.ports.chain.head()).block.header.height;
  const blocks = await Promise.all(
    heights(Math.max(1, newest - sampledBlocks + 1), newest).map((height) => blockFees(context, height)),
  );
  const tips = blocks.filter(present).flatMap((fees) =>
    fees.receipts
      .filter((receipt) => receipt.gasUsed > 0n)
      .map((receipt) => tipOf(fees, receipt))
      .filter((tip) => tip >= telltaleTipMin)
      .sort(ascending)
      .slice(0, tipsPerBlock),
  );
  if (tips.length === 0) return context.info.limits.defaultPriorityFee;
  const suggested = tips.sort(ascending)[Math.floor(((tips.length - 1) * suggestedPercentile) / 100)]!;
  return suggested < priorityFeeMax ? suggested : priorityFeeMax;
}

/** Tips at percentiles of the block's gas, ascending; zeros for a block without transactions. */
function rewards(fees: BlockFees, percentiles: readonly number[]): bigint[] {
  const paid = fees.receipts
    .map((receipt) => ({ tip: tipOf(fees, receipt), gasUsed: Number(receipt.gasUsed) }))
    .filter((entry) => entry.gasUsed > 0)
    .sort((a, b) => ascending(a.tip, b.tip));
  const total = Number(fees.record.roots.gasUsed);
  let index = 0;
  let gas = paid[0]?.gasUsed ?? 0;
  return percentiles.map((percentile) => {
    while (gas < (total * percentile) / 100 && index < paid.length - 1) gas += paid[++index]!.gasUsed;
    return paid[index]?.tip ?? 0n;
  });
}

/** What `eth_feeHistory` answers, oldest block first; fees in wei per gas, a row of rewards for each block. */
export interface FeeHistory {
  readonly oldest: Height;
  /** One more than the blocks: the last is that of the block after the newest. */
  readonly baseFees: readonly bigint[];
  readonly gasUsedRatios: readonly number[];
  readonly rewards: readonly (readonly bigint[])[];
}

/** Base fees, fullness and tips of the blocks from `oldest` to `newest`, of which all must be known. */
export async function feeHistory(
  context: MethodContext,
  oldest: Height,
  newest: Height,
  percentiles: readonly number[],
): Promise<FeeHistory> {
  const { chain } = context.ports;
  const blocks = (await Promise.all(heights(oldest, newest).map((height) => blockFees(context, height)))).filter(
    present,
  );
  const next = await chain.blockByHeight((newest + 1) as Height);
  const nextBaseFee = next === null ? await chain.nextBaseFee() : next.block.header.baseFee;
  return {
    oldest,
    baseFees: [...blocks.map(({ record }) => record.block.header.baseFee), nextBaseFee],
    gasUsedRatios: blocks.map(({ record }) => Number(record.roots.gasUsed) / Number(record.block.header.gasLimit)),
    rewards: blocks.map((fees) => rewards(fees, percentiles)),
  };
}
