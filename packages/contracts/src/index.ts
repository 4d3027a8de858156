export { primeOrdersCode } from './primeOrdersCode.ts';
export { contractWritesPerBlock, ordersRootSlot, pendingWritesSlot, quotaSlot, quotaWord } from './storage.ts';
export { actionTopic, contractActionOf, contractWritesOf, primeOrdersAddress } from './writes.ts';
