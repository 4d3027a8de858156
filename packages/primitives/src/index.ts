export {
  type Address,
  type BasisPoints,
  type Brand,
  type Hash,
  type Height,
  type Hex,
  type MarketId,
  noRound,
  type OrderId,
  type Round,
  type TimestampMs,
  toHeight,
  toMarketId,
  toOrderId,
  toRound,
  toTimestampMs,
  toWei,
  type Wei,
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
  HexError,
  type HexErrorDetail,
  hexToBytes,
  parseAddress,
  zeroAddress,
  parseHash,
  parseHex,
  utf8ToBytes,
} from './bytes.ts';
export {
  assert,
  type ErrorDetail,
  type ErrorObject,
  errorFromObject,
  InvariantError,
  isPrimeError,
  PrimeError,
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
export { createPrng, type Prng } from './prng.ts';
export { SerialQueue } from './serialQueue.ts';
