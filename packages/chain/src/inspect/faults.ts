import { isPrimeError } from '@prime/primitives';

/** What is wrong, in words, up to a number of which nobody wants to read more. */
export class Faults {
  readonly list: string[] = [];

  get isFull(): boolean {
    return this.list.length >= faultsMax;
  }

  add(...texts: readonly string[]): void {
    this.list.push(...texts.slice(0, faultsMax - this.list.length));
  }

  /**
   * What can not be read is a fault; a disk that fails is none, and says nothing about what is on it.
   *
   * @returns null after a fault
   */
  async attempt<T>(what: string, work: () => T | Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (isPrimeError(error) && /_(?:READ|OPEN|WRITE)_FAILED$/.test(error.code)) throw error;
      this.add(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

/** Findings that are listed; what comes after them is left out. */
export const faultsMax = 20;
