export {
  type Address,
  type Hash,
  type Height,
  type Hex,
  type MarketId,
  type OrderId,
  type Round,
  type TimestampMs,
  noRound,
  toMarketId,
  toOrderId,
  toRound,
  toTimestampMs,
  type Brand,
} from './brand.ts';
export { grown, type NumberArray } from './growth.ts';
export { createHeap, type Heap } from './heap.ts';
export {
  bigintToBytes,
  bytesEqual,
  bytesToAddress,
  bytesToBigint,
  bytesToHash,
  bytesToHex,
  bytesToUtf8,
  compareBytes,
  compareStrings,
  concatBytes,
  hexToBytes,
  parseAddress,
  parseHash,
  parseHex,
  utf8ToBytes,
  zeroAddress,
  HexError,
  type HexErrorDetail,
} from './bytes.ts';
export {
  type ErrorDetail,
  type ErrorObject,
  InvariantError,
  PrimeError,
  assert,
  errorFromObject,
  isPrimeError,
  toErrorObject,
  unreachable,
} from './error.ts';
export { escapeHtml } from './html.ts';
export {
  bigintAbs,
  bigintMax,
  bigintMin,
  bigintToNumber,
  ceilDiv,
  floorDiv,
  toQuantity,
  toSignedQuantity,
} from './integer.ts';
export { type CamelCase, camelCase, camelKeys } from './naming.ts';
export { createPrng, type Prng } from './prng.ts';
export { SerialQueue } from './serialQueue.ts';
