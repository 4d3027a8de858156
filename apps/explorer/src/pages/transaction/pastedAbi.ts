import { signal } from '@preact/signals';
import type { Abi } from 'viem';

/** What a reader pasted to read contracts with. Kept while the window is open, and nowhere else. */
export interface PastedAbi {
  readonly text: string;
  readonly abi: Abi;
}

/** The description in use; null before somebody pasted one. */
export const pastedAbi = signal<PastedAbi | null>(null);
