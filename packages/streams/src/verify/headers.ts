import { decodeHeader, headerHash, type Header } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { getCommit } from '@prime/sdk';
import { createLightClient, type LightTrust } from '@prime/sdk/light';
import type { ChainBlock } from '../chainBlock.ts';
import { StreamsError } from '../errors.ts';
import type { ChainIdentity } from '../ports.ts';
import type { Nodes } from '../source/nodes.ts';

/** Headers of a range of blocks, which validators signed for. */
export interface ProvenHeaders {
  /** Newest block whose results are signed for: those are in the header of the next one. */
  readonly provenTo: number;
  /** What later ranges are verified from; null of genesis alone. */
  readonly trust: LightTrust | null;
  /** @throws StreamsError `STREAMS_ANSWER_WRONG` when the node told another block than what was signed */
  check(block: ChainBlock): void;
}

/** Headers that are asked for at one time. */
const aheadMax = 16;
const wrong = (height: number, reason: string): StreamsError =>
  new StreamsError(`block ${height}: ${reason}`, { code: 'STREAMS_ANSWER_WRONG', height, reason });

async function headerAt(nodes: Nodes, height: number, signal: AbortSignal): Promise<Header> {
  const commit = await nodes.ask(`the header of block ${height}`, height, signal, (client) =>
    getCommit(client, { block: BigInt(height) }),
  );
  signal.throwIfAborted();
  return decodeHeader(hexToBytes(commit!.header));
}

/** Which headers are wanted. */
export interface HeaderRange {
  readonly from: number;
  /** With the block after it, where there is one, the results of this one are proven too. */
  readonly to: number;
  /** Newest block of the network. */
  readonly head: number;
  /** What an earlier range gave; null begins at genesis. */
  readonly trust: LightTrust | null;
  /** Ends the questions, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Headers whose hashes lead to a block that a light client verified from the genesis of the export on. One certificate proves all of them: each header
 * holds the hash of the one before. All of them are in memory.
 *
 * @throws LightClientError for a node that shows blocks which validators did not sign
 */
export async function proveHeaders(nodes: Nodes, chain: ChainIdentity, range: HeaderRange): Promise<ProvenHeaders> {
  const last = Math.min(range.to + 1, range.head);
  const headers: HashedHeaders = { hashes: new Map([[0, chain.genesisHash]]), headers: new Map() };
  const first = Math.max(1, range.from);
  const trust =
    last < first
      ? range.trust
      : await walk(nodes, range.trust ?? chain.genesisHash, { first, last, signal: range.signal }, headers);
  return {
    provenTo: last - 1,
    trust,
    check(chainBlock) {
      const { height } = chainBlock;
      const hash = headers.hashes.get(height);
      if (hash !== undefined && hash !== chainBlock.hash)
        throw wrong(height, `the node tells it as ${chainBlock.hash}, and validators signed ${hash}`);
      const header = headers.headers.get(height);
      if (header !== undefined) checkHeader(chainBlock, header);
      const results = headers.headers.get(height + 1)?.parentResults;
      if (results !== undefined) checkResults(chainBlock, results);
    },
  };
}

interface HashedHeaders {
  readonly hashes: Map<number, string>;
  readonly headers: Map<number, Header>;
}

/** From the last one down, by the hash that each has of the one before. @returns what the light client believes then */
async function walk(
  nodes: Nodes,
  root: LightTrust | string,
  { first, last, signal }: { readonly first: number; readonly last: number; readonly signal: AbortSignal },
  { hashes, headers }: HashedHeaders,
): Promise<LightTrust> {
  const verified = await nodes.ask(`block ${last} with its certificate`, last, signal, (client) =>
    createLightClient({ client, root: root as LightTrust | `0x${string}`, expiredTrust: 'quorum' }).verifyBlock({
      blockNumber: BigInt(last),
    }),
  );
  signal.throwIfAborted();
  let expected: string = verified!.hash;
  for (let top = last; top >= first; top -= aheadMax) {
    const heights = Array.from({ length: Math.min(aheadMax, top - first + 1) }, (_, offset) => top - offset);
    const found = await Promise.all(heights.map((height) => headerAt(nodes, height, signal)));
    for (const [offset, header] of found.entries()) {
      const height = heights[offset]!;
      const hash = headerHash(header);
      if (hash !== expected) throw wrong(height, `its header hashes to ${hash}, and validators signed ${expected}`);
      hashes.set(height, hash);
      headers.set(height, header);
      expected = header.parentHash;
    }
  }
  const previous = hashes.get(first - 1) ?? expected;
  if (previous !== expected) throw wrong(first, `it goes on from ${expected}, not from genesis ${previous}`);
  return verified!.trust;
}

/** What a header says of its own block. */
const checkHeader = ({ height, block }: ChainBlock, header: Header): void =>
  compare(height, headerFields, block, header);

const headerFields = [
  'parentHash',
  'timestampMs',
  'proposer',
  'gasLimit',
  'baseFee',
  'validatorsHash',
  'nextValidatorsHash',
] as const;

/** What the header after a block says of its results; the events of the block hash to its root already. */
const checkResults = ({ height, block }: ChainBlock, results: Header['parentResults']): void =>
  compare(height, ['eventsRoot', 'stateRoot', 'receiptsRoot', 'gasUsed'], block, results);

/** @throws StreamsError where a node tells a field otherwise than validators signed it */
function compare<name extends string>(
  height: number,
  names: readonly name[],
  told: Readonly<Record<name, unknown>>,
  signed: Readonly<Record<name, unknown>>,
): void {
  for (const name of names)
    if (told[name] !== signed[name])
      throw wrong(
        height,
        `the node tells ${name} as ${String(told[name])}, and validators signed ${String(signed[name])}`,
      );
}
