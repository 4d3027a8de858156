import { wholeNumber } from './schemaTypes.ts';

const mebibyte = 1024 * 1024;
const minuteMs = 60_000;

/** Keys of `limits` about what waits for a block. */
export const mempoolLimits = {
  mempool_transactions: wholeNumber({
    default: 20_000,
    minimum: 1,
    maximum: 10_000_000,
    unit: 'transactions',
    description: 'EVM transactions that wait in the mempool; as many actions may wait beside them.',
  }),
  mempool_bytes: wholeNumber({
    default: 64 * mebibyte,
    minimum: mebibyte,
    maximum: 16 * 1024 * mebibyte,
    unit: 'bytes',
    description: 'Bytes of the EVM transactions that wait in the mempool; actions have a quarter of it beside them.',
  }),
  mempool_sender_transactions: wholeNumber({
    default: 1_024,
    minimum: 1,
    maximum: 1_000_000,
    unit: 'transactions',
    description: 'EVM transactions of one sender that wait.',
  }),
  mempool_sender_guaranteed: wholeNumber({
    default: 16,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'transactions',
    description: 'Executable transactions of one sender that a flood from another sender can not evict.',
  }),
  mempool_sender_queued: wholeNumber({
    default: 64,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'transactions',
    description: 'EVM transactions of one sender that wait behind a gap of nonces.',
  }),
  mempool_queued_ms: wholeNumber({
    default: 180 * minuteMs,
    minimum: minuteMs,
    maximum: 7 * 24 * 60 * minuteMs,
    unit: 'ms',
    description: 'How long transactions wait behind a gap of nonces after the newest arrival of their sender.',
  }),
  mempool_drain_ms: wholeNumber({
    default: 2_000,
    minimum: 0,
    maximum: 10 * minuteMs,
    unit: 'ms',
    description:
      'What clients send is taken while blocks are expected to take all that is before it within this time, at the rate at which they did lately; more is refused with the time after which to try again. 0 bounds nothing.',
  }),
  mempool_price_bump: wholeNumber({
    default: 10,
    minimum: 1,
    maximum: 1_000,
    unit: 'percent',
    description: 'How much a replacement has to raise both the fee cap and the tip.',
  }),
  mempool_tip_min: wholeNumber({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    unit: 'wei',
    description: 'Least tip per gas that this node takes into its mempool.',
  }),
} as const;
