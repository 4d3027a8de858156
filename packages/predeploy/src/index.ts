export { primeOrdersCode } from './primeOrdersCode.ts';
export {
  abiError,
  abiList,
  abiText,
  type AbiValue,
  bookDepthMax,
  encodeAbi,
  type OrderQuery,
  parseOrderQuery,
  readBaseGas,
  readByteGas,
} from './reads.ts';
export { contractWritesPerBlock, ordersRootSlot, pendingWritesSlot, quotaSlot, quotaWord } from './storage.ts';
export { actionTopic, contractActionOf, contractWritesOf } from './writes.ts';
