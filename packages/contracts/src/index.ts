/**
 * The order book's contract of a Prime chain, for programs that call it with viem, ethers or any other library that takes an ABI.
 *
 * @packageDocumentation
 */
export { primeOrdersAbi } from './generated/primeOrdersAbi.ts';
export { primeOrdersMockAbi } from './generated/primeOrdersMockAbi.ts';
export {
  agentPermissions,
  orderFlags,
  orderReadsAddress,
  orderStatus,
  primeOrdersAddress,
  timeInForce,
  visibleAfterBlocks,
} from './constants.ts';
