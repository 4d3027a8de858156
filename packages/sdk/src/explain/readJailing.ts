import { getCommits, getDomainEvents, getGenesis, getNativeBlock } from '../actions/public/chain.ts';
import { getValidators } from '../actions/public/network.ts';
import type { PrimeClient } from '../client.ts';
import { HistoryPrunedError } from '../errors/rpc.ts';
import type { DomainEventOf } from '../streams/domainEvents.ts';
import type { RegisteredValidator } from '../types/chain.ts';
import type { CommitSummary } from '../types/consensus.ts';
import {
  evidenceAgainst,
  type Jailing,
  type JailingCause,
  type JailingFacts,
  type JailingMarks,
  jailingMarks,
} from './jailing.ts';
import { keptOrNull } from './kept.ts';

/** How much is asked of the node for an explanation. */
export interface ReadJailingOptions {
  /** Counts the blocks that it signed in the window that judged it, which may take dozens of answers. Default: no. */
  readonly countsSigned?: boolean | undefined;
}

/**
 * Why a validator is not in the set, from what a node keeps of its history.
 *
 * @param validator as `getRegisteredValidators` tells it
 * @throws what the reads throw; what the node does not keep any more is left out
 */
export async function readJailing(
  client: PrimeClient,
  validator: RegisteredValidator,
  { countsSigned = false }: ReadJailingOptions = {},
): Promise<JailingFacts> {
  const [{ events, oldestBlock }, head] = await Promise.all([
    historyOf(client, validator),
    getNativeBlock(client, { block: 'latest' }),
  ]);
  const marks = jailingMarks(events);
  const isOut = validator.status === 'jailed' || validator.tombstoned;
  const jailing = marks === null || !isOut ? null : await jailingOf(client, validator, marks, countsSigned);
  return { validator, jailing, oldestBlock, headMs: head?.timestampMs ?? 0 };
}

interface History {
  readonly events: readonly DomainEventOf[];
  readonly oldestBlock: bigint;
}

/** All that the node keeps of a validator's history. */
async function historyOf(client: PrimeClient, { address }: RegisteredValidator): Promise<History> {
  const since = async (oldestBlock: bigint): Promise<History> => {
    const filter = { fromBlock: oldestBlock, toBlock: 'latest', domain: 'validators', address } as const;
    return { events: await getDomainEvents(client, filter), oldestBlock };
  };
  const first = 1n;
  return since(first).catch((error: unknown) => {
    const oldest = error instanceof HistoryPrunedError ? error.oldest : null;
    if (oldest === null || oldest <= first) throw error;
    return since(oldest);
  });
}

/** @returns null where the block in which it happened is not kept */
async function jailingOf(
  client: PrimeClient,
  validator: RegisteredValidator,
  marks: JailingMarks,
  countsSigned: boolean,
): Promise<Jailing | null> {
  const { event, slashed } = marks;
  const { transactionHash } = event;
  const block = await keptOrNull(getNativeBlock(client, { block: event.blockNumber }));
  if (block === null) return null;
  const place = { block: event.blockNumber, timestampMs: block.timestampMs };
  if (event.kind === 'joined') return { ...place, slashed: 0n, cause: { kind: 'joined', transactionHash } };
  const convicted = slashed === null ? null : await convictionOf(client, validator, slashed.blockNumber);
  if (convicted === null && transactionHash !== null)
    return { ...place, slashed: 0n, cause: { kind: 'own', transactionHash } };
  const taken = await takenBy(client, validator, marks);
  return { ...place, slashed: taken, cause: convicted ?? (await downtimeOf(client, validator, place, countsSigned)) };
}

/** Wei that were slashed; 0 where none were, or the stake before is not kept. */
async function takenBy(
  client: PrimeClient,
  { address }: RegisteredValidator,
  { slashed, stakeBefore }: JailingMarks,
): Promise<bigint> {
  if (slashed === null) return 0n;
  // Nobody told of the stake of a validator of genesis: the set of that block has it.
  const members = stakeBefore === null ? await keptOrNull(getValidators(client, { block: slashed.blockNumber })) : null;
  const before = stakeBefore ?? members?.find((member) => member.address === address)?.stake ?? slashed.data.stake;
  return before - slashed.data.stake;
}

/** That it signed twice, where the block that slashed it holds evidence. */
async function convictionOf(
  client: PrimeClient,
  { address, tombstoned }: RegisteredValidator,
  number: bigint,
): Promise<JailingCause | null> {
  const block = tombstoned ? await keptOrNull(getNativeBlock(client, { block: number })) : null;
  const evidence = block === null ? null : evidenceAgainst(block.evidence, address);
  return evidence === null ? null : { kind: 'double_sign', evidence, convictedBlock: number };
}

/** Values that a staking section of genesis always has. */
interface DowntimeRules {
  readonly downtimeWindowMs: number;
  readonly downtimeMinSignedBps: number;
}

/** Pieces of the window by which the protocol counts (docs/protocol/consensus.md). */
const windowPieces = 10;
/** Blocks whose signatures one answer tells of, and answers that are asked for at most. */
const page = 256;
const pagesMax = 80;

async function downtimeOf(
  client: PrimeClient,
  { address }: RegisteredValidator,
  { block, timestampMs }: Pick<Jailing, 'block' | 'timestampMs'>,
  countsSigned: boolean,
): Promise<JailingCause> {
  const { staking } = (await getGenesis(client)) as unknown as { readonly staking: DowntimeRules };
  const { downtimeWindowMs: windowMs, downtimeMinSignedBps: minSignedBps } = staking;
  const cause = { kind: 'downtime', signed: null, windowMs, minSignedBps } as const;
  if (!countsSigned) return cause;
  const pieceMs = Math.max(1, Math.ceil(windowMs / windowPieces));
  const beginMs = (Math.floor(timestampMs / pieceMs) - windowPieces) * pieceMs;
  const commits = await commitsBetween(client, beginMs, block);
  // The certificate of a block stands in the one after it: the last one is of the block before the judging one's parent.
  const judged = commits?.slice(0, -1) ?? [];
  const signed = judged.filter(({ signers }) => signers.includes(address)).length;
  // Nodes hold certificates with other signatures than the block after has: figures that would contradict the jailing are no answer.
  const isSound = judged.length > 0 && signed * 10_000 < minSignedBps * judged.length;
  return isSound ? { ...cause, signed: { blocks: judged.length, signed } } : cause;
}

/** How the blocks before one were decided, from a time on; null where that is too much, or not kept. */
async function commitsBetween(
  client: PrimeClient,
  beginMs: number,
  before: bigint,
): Promise<readonly CommitSummary[] | null> {
  let found: readonly CommitSummary[] = [];
  for (let asked = 0, end = before - 1n; asked < pagesMax && end >= 1n; asked++) {
    const from = end >= BigInt(page) ? end - BigInt(page) + 1n : 1n;
    const commits = await keptOrNull(getCommits(client, { from, count: Number(end - from) + 1 }));
    if (commits === null) return null;
    const inside = commits.filter(({ timestampMs }) => timestampMs >= beginMs);
    found = [...inside, ...found];
    if (inside.length < commits.length || from === 1n) return found;
    end = from - 1n;
  }
  return null;
}
