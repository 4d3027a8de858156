import { describe, expect, it } from '@jest/globals';
import { createPrime } from './create.ts';
import { restMethods } from './classes/restMethods.ts';
import { proMethods } from './classes/streams.ts';
import { description, hasOf } from './describe.ts';
import { fakeCcxt } from './testing/fakeCcxt.ts';

const { prime, pro } = createPrime(fakeCcxt);

describe('what the class says of itself', () => {
  it('every word of has is answered, and what the base promises is not taken over', () => {
    const has = hasOf(
      { fetchOHLCV: undefined, createOrderWs: true, editOrder: 'emulated', fetchOrder: undefined },
      ['editOrder'],
      false,
    );
    expect(has).toMatchObject({
      fetchOHLCV: false,
      createOrderWs: false,
      fetchOrder: false,
      editOrder: true,
      swap: true,
      spot: false,
      ws: false,
    });
  });

  it('the class without streams has none', () => {
    const [rest, streaming] = [new prime().describe(), new pro.prime().describe()];
    expect([rest['pro'], streaming['pro'], streaming['id']]).toEqual([false, true, 'prime']);
    const [restHas, proHas] = [rest['has'], streaming['has']] as Record<string, boolean>[];
    for (const name of Object.keys(proMethods))
      expect([name, restHas![name] ?? false, proHas![name]]).toEqual([name, false, true]);
    for (const name of restMethods) expect([name, restHas![name], proHas![name]]).toEqual([name, true, true]);
  });

  it('what it offers it has as a method, or ccxt makes it of those', () => {
    const madeByCcxt =
      /^(create(Limit|Market|PostOnly|ReduceOnly|OrderWith|Stop|TakeProfit|Trigger)\w*|fetchL2OrderBook|fetch(Mark|Index)OHLCV|fetchOpenInterest|\w+WithClientOrderId)$/;
    const without = [...restMethods, ...Object.keys(proMethods)].filter(
      (name) => !madeByCcxt.test(name) && !(name in pro.prime.prototype),
    );
    expect(without).toEqual([]);
  });

  it('features name methods that it offers', () => {
    const { sandbox: _, ...features } = description.features.swap.linear;
    const offered = Object.entries(features).filter(([, value]) => value !== undefined);
    expect(offered.map(([name]) => name).filter((name) => !restMethods.includes(name))).toEqual([]);
  });

  it('instances are the base class of the ccxt that is given', () => {
    expect(new pro.prime()).toBeInstanceOf(fakeCcxt.Exchange);
  });
});
