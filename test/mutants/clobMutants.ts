import type { Mutant } from './mutant.ts';

const clob = (file: string): string => `packages/clob/src/${file}`;
const magnitudes = [clob('engine.magnitudes.test.ts')];
const growth = [clob('growthSteps.test.ts')];

const liquidation: readonly Mutant[] = [
  {
    name: 'the liquidation fee is divided by 9999',
    file: clob('margin/closeInBook.ts'),
    text: 'BigInt(state.params.liquidationFeeBps), 10_000n)',
    planted: 'BigInt(state.params.liquidationFeeBps), 9_999n)',
    tests: magnitudes,
  },
  {
    name: 'the distance at which the fund pays is measured in parts of 9999',
    file: clob('margin/closeInBook.ts'),
    text: 'slippage * 10_000n > position',
    planted: 'slippage * 9_999n > position',
    tests: [clob('margin/liquidate.test.ts')],
  },
  {
    name: 'the fund does not pay exactly at its distance',
    file: clob('margin/closeInBook.ts'),
    text: 'slippage * 10_000n > position.price * BigInt(bps)',
    planted: 'slippage * 10_000n >= position.price * BigInt(bps)',
    tests: [clob('margin/liquidate.test.ts')],
  },
  {
    name: 'profit on the other side is not asked for what is missing',
    file: clob('margin/deleverage.ts'),
    text: 'left -= size;\n    unpaid -= paid;',
    planted: 'left -= size;\n    unpaid -= 0n;',
    tests: [clob('margin/liquidate.test.ts')],
  },
];

const fees: readonly Mutant[] = [
  {
    name: 'fees are parts of 999 999',
    file: clob('margin/fees.ts'),
    text: 'const ppmBase = 1_000_000;',
    planted: 'const ppmBase = 999_999;',
    tests: magnitudes,
  },
  {
    name: 'the share of the treasury is of 9999',
    file: clob('margin/fees.ts'),
    text: 'const bpsBase = 10_000;',
    planted: 'const bpsBase = 9_999;',
    tests: magnitudes,
  },
  {
    name: 'a fee is rounded down',
    file: clob('margin/fees.ts'),
    text: ': partUp(notional, ppm, ppmBase)',
    planted: ': partOf(notional, ppm, ppmBase)',
    tests: [clob('margin/fees.test.ts')],
  },
  {
    name: 'a part that divides evenly is rounded up',
    file: clob('book/quantity.ts'),
    text: 'partOf(value, rate, base, base - 1)',
    planted: 'partOf(value, rate, base, base)',
    tests: [clob('margin/fees.test.ts')],
  },
  {
    name: 'a part of an exact number is rounded up where its product has no remainder',
    file: clob('book/quantity.ts'),
    text: '- whole * base) * rate + more, base)',
    planted: '- whole * base) * rate + more + 1, base)',
    tests: [clob('margin/exactFees.test.ts')],
  },
  {
    name: 'the share in an entry that a fill releases is rounded up in exact numbers',
    file: clob('book/quantity.ts'),
    text: '? floorOf(value *',
    planted: '? -floorOf(-value *',
    tests: [clob('orders/sureOrders.test.ts')],
  },
];

const pricesAndFunding: readonly Mutant[] = [
  {
    name: 'an index of funding is counted in parts of 999 999 999',
    file: clob('margin/funding.ts'),
    text: 'const fundingScale = 10n ** 9n;',
    planted: 'const fundingScale = 999_999_999n;',
    tests: magnitudes,
  },
  {
    name: 'the largest rate of funding is of 9999',
    file: clob('margin/funding.ts'),
    text: 'const bpsBase = 10_000n;',
    planted: 'const bpsBase = 9_999n;',
    tests: magnitudes,
  },
  {
    name: 'the weight of a reference price is of 255',
    file: clob('margin/funding.ts'),
    text: 'const weightBase = 256n;',
    planted: 'const weightBase = 255n;',
    tests: magnitudes,
  },
  {
    name: 'a payment of funding is rounded for the position',
    file: clob('margin/funding.ts'),
    text: 'floorDiv(-size * (index - fundingIndex), fundingScale)',
    planted: '-floorDiv(size * (index - fundingIndex), fundingScale)',
    tests: magnitudes,
  },
  {
    name: 'an interval of funding rests for a second longer than it is',
    file: clob('margin/funding.ts'),
    text: '.interval + 1) * params.intervalSeconds * 1000',
    planted: '.interval + 1) * params.intervalSeconds * 1000 + 1000',
    tests: [clob('rules/rest.property.test.ts')],
  },
  {
    name: 'the weight of a mark is of 255',
    file: clob('margin/marks.ts'),
    text: 'const emaBase = 256n;',
    planted: 'const emaBase = 255n;',
    tests: magnitudes,
  },
  {
    name: 'the largest move of a mark is of 9999',
    file: clob('margin/marks.ts'),
    text: 'ceilDiv(mark * BigInt(maxMoveBps), 10_000n)',
    planted: 'ceilDiv(mark * BigInt(maxMoveBps), 9_999n)',
    tests: magnitudes,
  },
  {
    name: 'the middle of bid and ask is rounded up',
    file: clob('margin/marks.ts'),
    text: 'floorDiv(bid + ask, 2n)',
    planted: 'floorDiv(bid + ask + 1n, 2n)',
    tests: [clob('margin/margin.test.ts')],
  },
  {
    name: 'a level that holds exactly the notional of a mark is not enough for it',
    file: clob('margin/marks.ts'),
    text: 'price * levelSize >= missing',
    planted: 'price * levelSize > missing',
    tests: [clob('bounds.test.ts')],
  },
  {
    name: 'margin is of 9999',
    file: clob('margin/margin.ts'),
    text: 'const bpsBase = 10_000n;',
    planted: 'const bpsBase = 9_999n;',
    tests: magnitudes,
  },
  {
    name: 'margin of sure orders is of 10 001',
    file: clob('margin/room.ts'),
    text: '.initialMarginBps ?? 0) / 10_000;',
    planted: '.initialMarginBps ?? 0) / 10_001;',
    tests: [clob('orders/sureOrders.test.ts')],
  },
  {
    name: 'a tier of risk begins one wei earlier',
    file: clob('margin/margin.ts'),
    text: '(notional - tier.aboveNotional) *',
    planted: '(notional - tier.aboveNotional + 1n) *',
    tests: magnitudes,
  },
];

const admission: readonly Mutant[] = [
  {
    name: 'a maker needs more than its margin for a fill',
    file: clob('orders/takers.ts'),
    text: 'after.equity - fee >= after.required',
    planted: 'after.equity - fee > after.required',
    tests: [clob('margin/margin.test.ts'), clob('margin/fees.test.ts')],
  },
  {
    name: 'a fill that leaves a reducing account exactly nothing is refused',
    file: clob('orders/takers.ts'),
    text: 'fill, price).equity >= 0n;',
    planted: 'fill, price).equity > 0n;',
    tests: [clob('margin/margin.test.ts'), clob('records/orderEnds.test.ts')],
  },
  {
    name: 'a position may reach half of what a record holds',
    file: clob('orders/admission.ts'),
    text: 'worst < positionMax',
    planted: 'worst <= positionMax',
    tests: [clob('rules/refusals.test.ts')],
  },
  {
    name: 'a notional may be as large as half of what a record holds',
    file: clob('orders/admission.ts'),
    text: 'notional < notionalMax',
    planted: 'notional <= notionalMax',
    tests: [clob('bounds.test.ts')],
  },
  {
    name: 'an action expires in the millisecond that it names',
    file: clob('rules/block.ts'),
    text: 'state.timestampMs > expiresAt',
    planted: 'state.timestampMs >= expiresAt',
    tests: [clob('bounds.test.ts')],
  },
  {
    name: 'a gateway may count one microsecond further',
    file: clob('rules/replay.ts'),
    text: 'const gatewayFutureMicros = 1_000_000_000;',
    planted: 'const gatewayFutureMicros = 1_000_000_001;',
    tests: [clob('rules/replay.test.ts')],
  },
  {
    name: 'an initial margin may be above everything',
    file: clob('rules/actions.ts'),
    text: 'const bpsMax = 10_000;',
    planted: 'const bpsMax = 10_001;',
    tests: [clob('bounds.test.ts')],
  },
  {
    name: 'a maintenance margin of one basis point is refused',
    file: clob('rules/actions.ts'),
    text: 'maintenanceMarginBps < 1 ',
    planted: 'maintenanceMarginBps < 2 ',
    tests: [clob('bounds.test.ts')],
  },
];

const limits: readonly Mutant[] = [
  {
    name: 'a block ends 1001 expired orders',
    file: clob('rules/block.ts'),
    text: 'const expiriesPerBlockMax = 1000;',
    planted: 'const expiriesPerBlockMax = 1001;',
    tests: [clob('manyAtOnce.test.ts')],
  },
  {
    name: 'a dequeue takes 999 transfers',
    file: clob('rules/bridge.ts'),
    text: 'const transfersPerDequeueMax = 1000;',
    planted: 'const transfersPerDequeueMax = 999;',
    tests: [clob('bounds.test.ts')],
  },
  {
    name: 'one transfer more may wait',
    file: clob('rules/bridge.ts'),
    text: 'const transfersWaitingMax = 100_000;',
    planted: 'const transfersWaitingMax = 100_001;',
    tests: [clob('rules/refusals.test.ts')],
  },
  {
    name: 'an account may have 65 agents',
    file: clob('rules/agents.ts'),
    text: 'const liveAgentsMax = 64;',
    planted: 'const liveAgentsMax = 65;',
    tests: [clob('rules/agents.test.ts')],
  },
  {
    name: 'an account may leave 1025 agents behind',
    file: clob('rules/agents.ts'),
    text: 'const agentRecordsMax = 1024;',
    planted: 'const agentRecordsMax = 1025;',
    tests: [clob('rules/agents.test.ts')],
  },
  {
    name: 'a block takes one change more than it may',
    file: clob('rules/blockRoom.ts'),
    text: 'limit === undefined || orders.changes < limit',
    planted: 'limit === undefined || orders.changes <= limit',
    tests: [clob('rules/blockRoom.test.ts')],
  },
];

/** What is left of what was taken back. */
const undone: readonly Mutant[] = [
  {
    name: 'a room stays that was measured with trades that are taken back',
    file: clob('state/undo.ts'),
    text: 'owner.room.regime = 0;',
    planted: '',
    tests: [clob('orders/sureOrders.test.ts')],
  },
];

/** Writes that were lost, or are at the end of a table. */
const tables: readonly Mutant[] = [
  {
    name: 'the mark of an order that is gone lands in the array before it grew',
    file: clob('records/recordBatch.ts'),
    text: 'const at = this.#takeOrder(id); this.#orderLengths[at] = removed;',
    planted: 'this.#orderLengths[this.#takeOrder(id)] = removed;',
    tests: [clob('records/recordBatch.test.ts')],
  },
  {
    name: 'the mark of a record that is gone lands in the array before it grew',
    file: clob('records/recordBatch.ts'),
    text: 'const at = this.#takeKey(key); this.#valueLengths[at] = removed;',
    planted: 'this.#valueLengths[this.#takeKey(key)] = removed;',
    tests: [clob('records/recordBatch.test.ts')],
  },
  {
    name: 'a growth forgets the last element',
    file: 'packages/primitives/src/growth.ts',
    text: 'larger.set(array);',
    planted: 'larger.set(array.subarray(0, -1));',
    tests: ['packages/primitives/src/growth.test.ts'],
  },
  {
    name: 'a growth of the batch forgets where its last leaf is',
    file: clob('records/recordBatch.ts'),
    text: 'this.#places = grown(this.#places, capacity);',
    planted: 'this.#places = grown(this.#places.subarray(0, -1), capacity);',
    tests: [clob('records/recordBatch.test.ts')],
  },
  {
    name: 'a growth of the order rows forgets the last',
    file: clob('book/orderPool.ts'),
    text: 'grown(this.#ints, end)',
    planted: 'grown(this.#ints.subarray(0, Math.max(0, this.#ints.length - 8)), end)',
    tests: growth,
  },
  {
    name: 'a growth of the journal forgets the last step',
    file: clob('state/journal.ts'),
    text: 'this.#codes = grown(this.#codes, capacity);',
    planted: 'this.#codes = grown(this.#codes.subarray(0, -1), capacity);',
    tests: [clob('state/journal.test.ts')],
  },
  {
    name: 'a growth of the block log forgets the last event',
    file: clob('records/blockLog.ts'),
    text: 'this.#kinds = grown(this.#kinds, capacity);',
    planted: 'this.#kinds = grown(this.#kinds.subarray(0, -1), capacity);',
    tests: [clob('pasts.property.test.ts')],
  },
  {
    name: 'the last place of the ring of ids is taken for empty',
    file: clob('book/orderIndex.ts'),
    text: 'return place > this.#mask ? 0',
    planted: 'return place >= this.#mask ? 0',
    tests: [clob('book/orderIndex.test.ts')],
  },
  {
    name: 'an end is forgotten a block too early',
    file: clob('records/orderMemory.ts'),
    text: 'const forgotten = height - this.#blocks; const ids',
    planted: 'const forgotten = height - this.#blocks + 1; const ids',
    tests: [clob('rules/orders.test.ts'), clob('rules/rest.property.test.ts')],
  },
  {
    name: 'a contract’s cancel takes out the order that the contract sends right behind it',
    file: clob('state/missedCancels.ts'),
    text: 'order.ticket < origin.action.ticket',
    planted: 'order.ticket <= origin.action.ticket + 1',
    tests: [clob('state/missedCancels.test.ts')],
  },
];

export const clobMutants: readonly Mutant[] = [
  ...liquidation,
  ...fees,
  ...pricesAndFunding,
  ...admission,
  ...limits,
  ...undone,
  ...tables,
];
