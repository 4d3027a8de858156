import { mebibyte, minuteMs, wholeNumber, wholeNumbers } from './schemaTypes.ts';

const ofOneSender = wholeNumbers({ from: 0, to: 1_000_000, unit: 'transactions' });

/** Keys of `limits` about what waits for a block. */
export const mempoolLimits = {
  mempool_transactions: wholeNumber(
    { default: 20_000, from: 1, to: 10_000_000, unit: 'transactions' },
    'EVM transactions that wait in the mempool; as many actions may wait beside them.',
  ),
  mempool_bytes: wholeNumber(
    { default: 64 * mebibyte, from: mebibyte, to: 16 * 1024 * mebibyte, unit: 'bytes' },
    'Bytes of the EVM transactions that wait in the mempool; actions have a quarter of it beside them.',
  ),
  mempool_sender_transactions: wholeNumber(
    { default: 1_024, from: 1, to: 1_000_000, unit: 'transactions' },
    'EVM transactions of one sender that wait.',
  ),
  mempool_sender_guaranteed: ofOneSender(
    16,
    'Executable transactions of one sender that a flood from another sender can not evict.',
  ),
  mempool_sender_queued: ofOneSender(64, 'EVM transactions of one sender that wait behind a gap of nonces.'),
  mempool_queued_ms: wholeNumber(
    { default: 180 * minuteMs, from: minuteMs, to: 7 * 24 * 60 * minuteMs, unit: 'ms' },
    'How long transactions wait behind a gap of nonces after the newest arrival of their sender.',
  ),
  mempool_drain_ms: wholeNumber(
    { default: 2_000, from: 0, to: 10 * minuteMs, unit: 'ms' },
    'What clients send is taken while blocks are expected to take all that is before it within this time, at the rate at which they did lately; more is refused with the time after which to try again. 0 bounds nothing.',
  ),
  mempool_price_bump: wholeNumber(
    { default: 10, from: 1, to: 1_000, unit: 'percent' },
    'How much a replacement has to raise both the fee cap and the tip.',
  ),
  mempool_tip_min: wholeNumber(
    { default: 0, from: 0, to: Number.MAX_SAFE_INTEGER, unit: 'wei' },
    'Least tip per gas that this node takes into its mempool.',
  ),
} as const;
