export * from './brand.ts';
export { grown, type NumberArray } from './growth.ts';
export { createHeap, type Heap } from './heap.ts';
export * from './bytes.ts';
export * from './error.ts';
export { escapeHtml } from './html.ts';
export * from './integer.ts';
export { createPrng, type Prng } from './prng.ts';
export { SerialQueue } from './serialQueue.ts';
