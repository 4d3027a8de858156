import { existsSync, readFileSync, rmSync } from 'node:fs';
import { encodeStoredBlock, type StoredBlock } from '@prime/codec';
import { bytesToHex, type ErrorDetail, type Hash, type Height, isPrimeError, type PrimeError } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Logger } from '@prime/telemetry';
import { NodeError } from '../errors.ts';
import { exitCode, exitCodeOf } from '../exitCodes.ts';
import { clientVersion } from '../version.ts';

/** What the file of a block says that a program could not execute. Whoever repairs the program begins with it. */
interface FailedBlockReport {
  readonly height: number;
  readonly hash: string;
  /** The program that failed. */
  readonly program: string;
  readonly reason: string;
  readonly stack: string | null;
  /** With its certificate, as stored blocks are encoded; null where it is not stored. */
  readonly block: string | null;
}

/** Where the report of a block that failed goes, and where the block is read from. */
export interface FailedBlockOptions {
  /** The file; `failed-block.json` of the home. */
  readonly path: string;
  readonly blocks: { get(height: Height): StoredBlock | null };
  readonly logger: Logger;
}

/**
 * A decided block whose execution throws. All nodes have to execute it, so that each of them ends, with an exit code of its own, and keeps what it knows of it.
 * The block is durable and its state is the one before it: a program that can execute it goes on from there.
 */
export class FailedBlock {
  readonly #options: FailedBlockOptions;
  /** Of the block that the process before this one ended at; null where it did not. */
  #height: number | null;

  constructor(options: FailedBlockOptions) {
    this.#options = options;
    const report = readReport(options.path);
    this.#height = report?.height ?? null;
    if (report === null) return;
    const { height, program, reason } = report;
    options.logger.warn({ height, program, reason }, 'a block stopped this node before: it is executed again');
  }

  /** Commits a decided block. @throws NodeError `BLOCK_FAILED`; what was thrown where that is not the block's doing */
  async watch<T>(commit: () => Promise<T>): Promise<T> {
    try {
      return await commit();
    } catch (error) {
      throw this.onDecided(error);
    }
  }

  /** The error that ends the node when a decided block threw; the one that was thrown where that is not the block's doing. */
  onDecided(error: unknown): unknown {
    const { cause } = blockErrorOf(error) ?? {};
    if (cause === undefined) return error;
    if (!isBlocksDoing(cause)) return cause;
    const { height, hash } = (error as PrimeError<PlacedDetail>).detail;
    const { path, blocks, logger } = this.#options;
    const { message: reason, stack = null } = cause as Error;
    try {
      const stored = blocks.get(height);
      const block = stored === null ? null : bytesToHex(encodeStoredBlock(stored));
      const report: FailedBlockReport = { height, hash, program: clientVersion, reason, stack, block };
      writeFileDurably(path, new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`), 0o644);
    } catch (writeError) {
      logger.error(
        { height, reason: String(writeError) },
        'the block that failed can not be kept in a file of its own',
      );
    }
    return new NodeError(
      `block ${height} (${hash}) is decided, and this program can not execute it: ${reason}. ${path} has the block and the reason. ` +
        'Nothing is lost: install a program that can execute it, and start the node again',
      { code: 'BLOCK_FAILED', height, hash, path },
      { cause },
    );
  }

  /** The same for a block that was only proposed. @returns what has to end the node nevertheless; null when it goes on */
  onProposed(error: unknown): unknown {
    const blockError = blockErrorOf(error);
    if (blockError === null || !isBlocksDoing(blockError.cause)) return blockError?.cause ?? error;
    this.#options.logger.error(
      { reason: blockError.message },
      'a proposed block can not be executed: the node ends if it is decided',
    );
    return null;
  }

  /** A block was executed for good. */
  onCommitted(height: Height): void {
    if (this.#height === null || height < this.#height) return;
    this.#options.logger.info({ height: this.#height }, 'the block that stopped this node is executed');
    rmSync(this.#options.path, { force: true });
    this.#height = null;
  }
}

/** Of the pipeline's `CHAIN_BLOCK_FAILED`. */
type PlacedDetail = ErrorDetail & { readonly height: Height; readonly hash: Hash };

const blockErrorOf = (error: unknown): PrimeError | null =>
  isPrimeError(error) && error.code === 'CHAIN_BLOCK_FAILED' ? error : null;

/** A disk that fails, or a thread that ended, says nothing about the block. */
function isBlocksDoing(cause: unknown): boolean {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  if (typeof code !== 'string') return true;
  return exitCodeOf(code) === exitCode.internal && !code.startsWith('BUS_');
}

/** @returns null where there is none, or nothing that can be read */
function readReport(path: string): FailedBlockReport | null {
  if (!existsSync(path)) return null;
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as FailedBlockReport;
    return Number.isSafeInteger(report.height) ? report : null;
  } catch {
    return null;
  }
}
