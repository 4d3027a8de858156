import type { ChainBlock } from './chainBlock.ts';
import type { BlockRecords, StoredRecord } from './record.ts';
import type { Finding } from './verify/findings.ts';

/** Which chain it is. */
export interface ChainIdentity {
  readonly chainId: number;
  /** Hash of block 0. */
  readonly genesisHash: string;
}

/** The newest block that a sink holds whole. */
export interface Cursor {
  readonly height: number;
  /** Null where the sink does not keep it any more. */
  readonly hash: string | null;
}

/** Where blocks come from. */
export interface BlockSource {
  readonly chain: ChainIdentity;
  /** Newest block that is known of. */
  readonly head: number;
  /** Resolves once there is the block, or the signal is aborted. */
  until(height: number, signal: AbortSignal): Promise<void>;
  /**
   * A block that there is; asks until some node tells it.
   *
   * @returns null once the signal is aborted
   * @throws StreamsError that {@link isFatal}
   */
  read(height: number, signal: AbortSignal): Promise<ChainBlock | null>;
  close(): void;
}

/**
 * Where records go. Sinks take whole blocks in order, and know by themselves how far they are: nothing else keeps a cursor.
 *
 * Whatever is thrown that is not fatal means: not there now. The sink is closed, opened again after a while, and asked where it is.
 */
export interface Sink {
  readonly name: 'nats' | 'postgres' | 'files';
  /**
   * Connects, makes what is missing, and tells where it is; null when it holds nothing.
   *
   * @throws StreamsError `STREAMS_OTHER_CHAIN`, `STREAMS_SCHEMA_NEWER`, `STREAMS_STORE_DAMAGED`, `STREAMS_CURSOR_LOST`
   */
  open(chain: ChainIdentity): Promise<Cursor | null>;
  /**
   * Returns once all of the blocks are there for good; at least one, each the child of the one before. Where it fails, some of them may be there. Of a
   * first block that it has in part, it takes the rest.
   */
  write(blocks: readonly BlockRecords[]): Promise<void>;
  close(): Promise<void>;
}

/** What was written, read back for {@link verifyExport}. */
export interface ExportStore {
  /** As people name it. */
  readonly where: string;
  readonly chain: ChainIdentity;
  /** First and last height that it says to hold; null when it holds nothing. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** What the store itself finds wrong, such as a file that is not what its manifest says. */
  ownFindings(): AsyncIterable<Finding>;
  /** All records by height and index, as far as they can be read; what can not is a finding. */
  records(): AsyncIterable<StoredRecord>;
  close(): Promise<void>;
}

/** Structured lines: fields first, then the message. */
export type StreamsLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>;
