import { bytesToHex, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import type { ActionPayload } from '../types.ts';
import {
  address,
  amount,
  bracket,
  bytes,
  decimals,
  entry,
  hash,
  marketId,
  orderId,
  trigger,
  uint32,
  wei,
} from './arbitraries.ts';

/** What signed actions do, as tests draw it. */

// All zeros is the one that typed data has no form for.
const shownClientId = bytes(16)
  .filter((id) => id.some((byte) => byte !== 0))
  .map(bytesToHex);
const boundedText = (limit: number): fc.Arbitrary<string> =>
  fc.string({ maxLength: limit / 4, unit: 'grapheme' }).filter((text) => utf8ToBytes(text).length <= limit);

const claim = { publicKey: bytes(33), proof: bytes(65) };
const endpoint = {
  host: boundedText(253),
  port: fc.integer({ min: 1, max: 0xffff }),
  spki: hash,
};

const single: fc.Arbitrary<ActionPayload> = fc.oneof(
  fc.record({ type: fc.constant('order' as const), ...entry(shownClientId) }),
  trigger(shownClientId),
  bracket(shownClientId),
  fc.record({ type: fc.constant('cancel' as const), orderId }),
  fc.record({ type: fc.constant('cancelByClientId' as const), marketId, clientId: shownClientId }),
  fc.record({ type: fc.constant('cancelAll' as const), marketId: fc.option(marketId) }),
  fc.record({ type: fc.constant('modify' as const), orderId, price: amount, size: amount }),
  fc.record({ type: fc.constant('deposit' as const), amount: wei }),
  fc.record({ type: fc.constant('withdraw' as const), amount: wei, to: address }),
  fc.record({ type: fc.constant('transfer' as const), to: address, amount: wei }),
  fc.record({ type: fc.constant('liquidate' as const), address }),
  fc.record({
    type: fc.constant('addMarket' as const),
    symbol: boundedText(32),
    tickSize: amount,
    lotSize: amount,
    baseDecimals: decimals,
    quoteDecimals: decimals,
  }),
  fc.record({
    type: fc.constant('setMargin' as const),
    marketId: fc.option(marketId),
    initialMarginBps: uint32,
    maintenanceMarginBps: uint32,
  }),
  fc.record({
    type: fc.constant('approveAgent' as const),
    agent: address,
    expiry: fc.maxSafeNat(),
    permissions: uint32,
    name: boundedText(64),
  }),
  fc.record({ type: fc.constant('revokeAgent' as const), agent: address }),
  fc.record({
    type: fc.constant('bridgeDequeue' as const),
    direction: fc.constantFrom('orders_to_evm' as const, 'evm_to_orders' as const),
    max: uint32,
  }),
  fc.record({ type: fc.constant('noop' as const) }),
  fc.record({ type: fc.constant('lockAccount' as const) }),
  fc.record({ type: fc.constant('enqueueEvmToOrders' as const), to: address, amount: wei }),
  fc.record({ type: fc.constant('createSubAccount' as const), index: fc.integer({ min: 1, max: 0xffffffff }) }),
  fc.record({
    type: fc.constant('validatorJoin' as const),
    ...claim,
    stake: wei,
    moniker: boundedText(64),
    ...endpoint,
  }),
  fc.record({ type: fc.constant('validatorBond' as const), amount: wei }),
  fc.record({ type: fc.constant('validatorRotateSigner' as const), ...claim }),
  fc.record({ type: fc.constant('validatorSetEndpoint' as const), ...endpoint }),
);
/** An action, or a batch of some. */
export const actionPayload: fc.Arbitrary<ActionPayload> = fc.oneof(
  { weight: 5, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('batch' as const), items: fc.array(single, { maxLength: 5 }) }),
  },
);
