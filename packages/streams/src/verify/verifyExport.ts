import { StreamsError } from '../errors.ts';
import type { ExportStore } from '../ports.ts';
import { recordsOf } from '../record.ts';
import type { NodeSource } from '../source/nodeSource.ts';
import { Comparison } from './comparison.ts';
import type { Finding } from './findings.ts';
import { proveHeaders, type ProvenHeaders } from './headers.ts';

/** What of an export is compared with the chain, and who hears of differences. */
export interface VerifyOptions {
  /** First block; default: the first one that the export says to hold. */
  readonly from?: number | undefined;
  /** Last block; default: the last one. */
  readonly to?: number | undefined;
  readonly onFinding: (finding: Finding) => void;
  /** Ends it, with its reason. */
  readonly signal: AbortSignal;
}

/** What was verified. */
export interface Verification {
  readonly from: number;
  readonly to: number;
  /** Newest block of which every result was held against what validators signed. */
  readonly provenTo: number;
  readonly blocks: number;
  readonly records: number;
  readonly findings: number;
}

/** Headers that are in memory at one time, some 10 MB. */
const headersMax = 10_000;

/**
 * Holds an export against the chain: each record that a node tells has to be there, once, under its id and with the hash of its block, and nothing else.
 * The node is believed as far as validators signed.
 *
 * @throws StreamsError `STREAMS_NOTHING_STORED`, `STREAMS_BLOCK_MISSING`, `STREAMS_OTHER_CHAIN`, `STREAMS_ANSWER_WRONG`, `STREAMS_HISTORY_PRUNED`
 * @throws LightClientError for a node that shows blocks which validators did not sign
 */
export async function verifyExport(
  store: ExportStore,
  source: NodeSource,
  { from: wantedFrom, to: wantedTo, onFinding, signal }: VerifyOptions,
): Promise<Verification> {
  if (store.range === null)
    throw new StreamsError(`${store.where} holds no block`, { code: 'STREAMS_NOTHING_STORED', where: store.where });
  const { from, to } = { from: wantedFrom ?? store.range.from, to: wantedTo ?? store.range.to };
  await source.until(0, signal);
  signal.throwIfAborted();
  if (source.head < to)
    throw new StreamsError(`no node has block ${to} yet, the newest is ${source.head}: wait, or verify up to it`, {
      code: 'STREAMS_BLOCK_MISSING',
      height: to,
      head: source.head,
    });
  const proof: { headers: ProvenHeaders | null; upTo: number } = { headers: null, upTo: from - 1 };
  let findings = 0;
  const tell = (finding: Finding): void => {
    findings++;
    onFinding(finding);
  };
  const comparison = new Comparison(tell);
  let records = 0;
  let next = from;
  const enter = async (height: number): Promise<void> => {
    // Blocks of which nothing is stored are held against nothing, so that all of them is missed.
    for (; next <= Math.min(height, to); next++) {
      if (proof.headers === null || next > proof.upTo) {
        proof.upTo = Math.min(to, next + headersMax - 1);
        const range = { from: next, to: proof.upTo, head: source.head, trust: proof.headers?.trust ?? null, signal };
        proof.headers = await proveHeaders(source.nodes, store.chain, range);
      }
      const block = await source.read(next, signal);
      signal.throwIfAborted();
      proof.headers.check(block!);
      comparison.begin(next, recordsOf(block!).records);
    }
  };
  for await (const finding of store.ownFindings()) tell(finding);
  for await (const stored of store.records()) {
    const isOutside = stored.height < from || (wantedTo !== undefined && stored.height > to);
    if (stored.record !== null && isOutside) continue;
    records++;
    if (stored.record !== null) await enter(stored.height);
    comparison.take(stored);
  }
  await enter(to);
  comparison.end();
  return { from, to, provenTo: Math.min(to, proof.headers?.provenTo ?? to), blocks: to - from + 1, records, findings };
}
