import { useNode } from '../app/context.ts';
import { intervalsOf, medianOf } from '../live/blocks.ts';

/** Usual time between blocks lately, ms; null while it is not known. */
export const usePace = (): number | null => medianOf(intervalsOf(useNode().chain.blocks.value));
