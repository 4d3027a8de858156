import { describe, expect, it } from '@jest/globals';
import type { ActionResult } from '@prime/codec';
import { builtInScenario } from '../../scenario/builtInScenarios.ts';
import { scenarioOf } from '../../scenario/testing/networks.ts';
import { Refusals } from './refusals.ts';

const refusedFor = (kind: string): ActionResult => ({
  ok: false,
  error: { code: `CLOB_${kind.toUpperCase()}`, message: kind, data: { kind } },
});
const done: ActionResult = { ok: true, value: { type: 'done' } };
const batchOf = (...results: ActionResult[]): ActionResult => ({ ok: true, value: { type: 'batch', results } });

const maker = builtInScenario('maker');

describe('Refusals', () => {
  it('without any: says so, and what is not known', () => {
    const refusals = new Refusals();
    expect(refusals.finding(maker, null)).toEqual({
      rule: 'refusals are those that the scenario means',
      seen: 'at admission none; in blocks none',
      violations: [],
    });
    expect(refusals.finding(maker, 'no node answers').seen).toBe(
      'at admission none; in blocks not known: no node answers',
    );
  });

  it('counts what is not meant by kind and reason, most first; items of batches as well', () => {
    const refusals = new Refusals();
    refusals.action('order_gtc', refusedFor('insufficient_margin'));
    for (let count = 0; count < 3; count++)
      refusals.action('replace', batchOf(refusedFor('unknown_client_id'), refusedFor('bad_price')));
    refusals.action('replace', batchOf(done, done));
    refusals.action('cancel', refusedFor('unknown_client_id'));
    refusals.failed('transfer');
    expect(refusals.finding(maker, null)).toMatchObject({
      seen: 'at admission none; in blocks 3 of replace (unknown_client_id), 3 of replace (bad_price), 1 of order_gtc (insufficient_margin), 1 of cancel (unknown_client_id), 1 of transfer (failed)',
      violations: [
        '3 of replace refused in a block: bad_price',
        '1 of order_gtc refused in a block: insufficient_margin',
        '1 of transfer refused in a block: failed',
      ],
    });
  });

  it('a code without data.kind is its own word', () => {
    const refusals = new Refusals();
    refusals.action('noop', { ok: false, error: { code: 'CLOB_EXPIRED', message: 'late', data: {} } });
    expect(refusals.finding(maker, null).violations).toEqual(['1 of noop refused in a block: expired']);
  });

  it('overload is always meant at admission, other codes where the scenario says so, a fault of the node never', () => {
    const refusals = new Refusals();
    refusals.atAdmission('order_gtc', -32_005, 'node is busy', 900);
    refusals.atAdmission('order_gtc', -32_000, 'no room', 2);
    refusals.atAdmission('order_gtc', -32_000, 'no room any more', 1);
    refusals.atAdmission('order_gtc', -32_603, 'internal error', 1);
    expect(refusals.finding(maker, 'left out')).toEqual({
      rule: 'refusals are those that the scenario means',
      seen: 'at admission 900 of order_gtc (-32005), 3 of order_gtc (-32000), 1 of order_gtc (-32603); in blocks not known: left out',
      violations: [
        '3 of order_gtc refused at admission: -32000 no room',
        '1 of order_gtc refused at admission: -32603 internal error',
      ],
    });
    const own = scenarioOf(['kind = "order_gtc"\nweight = 1\nrefusals = [-32000, -32603]']);
    expect(refusals.finding(own, null).violations).toEqual([
      '1 of order_gtc refused at admission: -32603 internal error',
    ]);
  });

  it('steps of a shape are judged as their kind', () => {
    const refusals = new Refusals();
    refusals.action('sweep/makers', refusedFor('reduce_only'));
    refusals.action('sweep/makers', refusedFor('insufficient_margin'));
    expect(refusals.finding(builtInScenario('sweeps'), null).violations).toEqual([
      '1 of sweep/makers refused in a block: insufficient_margin',
    ]);
  });
});
