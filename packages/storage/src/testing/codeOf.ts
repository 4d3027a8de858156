import { isPrimeError } from '@prime/primitives';

/** Code of the error that work throws; null when it throws none. @throws whatever is no error of ours */
export function codeOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    return error.code;
  }
}
