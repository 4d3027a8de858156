import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** One kind of request, many times. */
export interface LoadRequest {
  /**
   * JSON body in pieces, ASCII: between the first two comes the id (7 digits), between the second and third a serial number (40 hex
   * digits) that no other request has. One piece is sent as it is.
   */
  readonly pieces: readonly string[];
  /** 1, or the size of the batch. */
  readonly answers: number;
  /** The result, or the length of a list; null where it changes. */
  readonly expected: string | null;
}

/** Requests that one process sends over connections of its own, each when the one before is answered. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Sent in turn. */
  readonly requests: readonly LoadRequest[];
  readonly firstSerial: number;
}

/** What came of an order: counts, times and what sending cost. */
export interface LoadResult {
  readonly answered: number;
  readonly elapsedMs: number;
  readonly p99Ms: number;
  /** Processor time of the generator. */
  readonly processorMicros: number;
}

/** The generator's process. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./load.worker.js', import.meta.url)));

  /** @throws Error when an answer is an error or not what was expected */
  async run(order: LoadOrder): Promise<LoadResult> {
    this.#child.send(order);
    const [answer] = (await once(this.#child, 'message')) as [{ result?: LoadResult; error?: string }];
    if (answer.result === undefined) throw new Error(answer.error ?? 'the generator gave no result');
    return answer.result;
  }

  close(): void {
    this.#child.kill();
  }
}
