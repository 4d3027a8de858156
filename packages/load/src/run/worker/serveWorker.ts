import { processClock } from '../../openLoop.ts';
import { Generator } from './generator.ts';
import type { Operations } from '../../scenario/operation.ts';
import type { Assignment, FromWorker, ToWorker } from './messages.ts';

/** Does what a coordinator says, until the connection to it ends. */
export class WorkerService {
  readonly #operationsOf: (assignment: Assignment) => Promise<Operations>;
  readonly #tell: (message: FromWorker) => void;
  #generator: Promise<Generator> | null = null;

  constructor(operationsOf: (assignment: Assignment) => Promise<Operations>, tell: (message: FromWorker) => void) {
    this.#operationsOf = operationsOf;
    this.#tell = tell;
  }

  async take(message: ToWorker): Promise<void> {
    try {
      if (message.type === 'prepare') {
        this.close();
        const { assignment } = message;
        this.#generator = this.#operationsOf(assignment).then((operations) =>
          Generator.open({ assignment, operations, clock: processClock, tell: this.#tell }),
        );
        await this.#generator;
        this.#tell({ type: 'prepared' });
      } else if (this.#generator === null) throw new Error(`${message.type} came before an assignment`);
      else await (await this.#generator).take(message);
    } catch (error) {
      this.#tell({ type: 'failed', words: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }

  close(): void {
    this.#generator?.then(
      (generator) => generator.close(),
      () => undefined,
    );
    this.#generator = null;
  }
}
