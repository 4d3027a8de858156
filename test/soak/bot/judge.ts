import type { BotLife, BotLine } from './botProcess.ts';
import { type AccountFacts, type ChainFill, positionAt } from './chainFacts.ts';

/** What a bot promised. */
export interface BotBounds {
  /** Quotes on each side. */
  readonly levels: number;
  /** Base units. */
  readonly positionMax: bigint;
  readonly quoteSize: bigint;
}

export interface Judgement {
  /** What is wrong; empty is good. */
  readonly findings: readonly string[];
  /** Statements of the bot about its position that were compared. */
  readonly claims: number;
  /** Fills that the bot told and the chain has. */
  readonly fills: number;
}

/** Codes that a bot on an honest network never has to see. */
const neverCodes = ['STREAM_CHECKSUM_WRONG', 'STREAM_ACCOUNT_DISAGREES', 'STREAM_GAP_LOST', 'STREAM_HANDLER_FAILED'];

/** Compares what the lives of a bot logged with what the chain has. */
export function judge(lives: readonly BotLife[], facts: AccountFacts, bounds: BotBounds): Judgement {
  const findings: string[] = [];
  let [claims, fills] = [0, 0];
  for (const [index, { lines }] of lives.entries()) {
    const say = (text: string): void => void findings.push(`life ${index}: ${text}`);
    for (const line of lines) {
      if (neverCodes.includes(String(line['code']))) say(`told of ${String(line['code'])}: ${line.msg}`);
      if (line.msg === 'halted') say(`halted: ${String(line['why'])}`);
      if (!isClaim(line)) continue;
      claims++;
      const block = Number(line['block']);
      const onChain = positionAt(facts, block);
      if (`${onChain}` !== line['position'])
        say(`position ${String(line['position'])} at ${block}, the chain has ${onChain}`);
      if (line['fromFills'] !== line['position'])
        say(`position ${String(line['position'])} at ${block}, from fills it is ${String(line['fromFills'])}`);
    }
    fills += judgeFills(lines, facts.fills, say);
  }
  findings.push(...judgeBlocks(facts, bounds));
  return { findings, claims, fills };
}

const isClaim = (line: BotLine): boolean =>
  line.msg === 'account read' || (line.msg === 'account' && line['sure'] === true);

/** From where the account was read on, each fill of the chain once, in order; a life may end before it told the last ones. */
function judgeFills(lines: readonly BotLine[], onChain: readonly ChainFill[], say: (text: string) => void): number {
  let next = onChain.length;
  let told = 0;
  for (const line of lines) {
    if (line.msg === 'account read') {
      const block = Number(line['block']);
      const first = onChain.findIndex((fill) => fill.block > block);
      next = first < 0 ? onChain.length : first;
    }
    if (line.msg !== 'fill') continue;
    const fill = onChain[next];
    const { tradeId, side, size } = line;
    if (fill === undefined) say(`trade ${String(tradeId)} is not on the chain`);
    else if (fill.tradeId !== tradeId || fill.side !== side || `${fill.size}` !== size)
      say(`${words(side, size, tradeId)}, the chain has ${words(fill.side, fill.size, fill.tradeId)}`);
    next++;
    told++;
  }
  return told;
}

const words = (side: unknown, size: unknown, tradeId: unknown): string =>
  `fill ${String(side)} ${String(size)} of trade ${String(tradeId)}`;

/** After no block are there more orders than the strategy has, or a position that it may not have. */
function judgeBlocks({ blocks }: AccountFacts, { levels, positionMax, quoteSize }: BotBounds): string[] {
  const findings: string[] = [];
  // One set of quotes may trade while it is replaced.
  const most = positionMax + BigInt(levels) * quoteSize;
  for (const { block, position, open } of blocks) {
    for (const side of ['buy', 'sell'] as const)
      if (open[side].length > levels)
        findings.push(`block ${block}: ${open[side].length} ${side} orders, ${levels} at most`);
    if (position > most || -position > most) findings.push(`block ${block}: position ${position}, ${most} at most`);
  }
  return findings;
}
