import { describe, expect, it } from '@jest/globals';
import { parseStampPage, stampedStages } from './stamps.ts';

const [block, item] = ['0x00000000000000b1', '0x00000000000000a1'];
const page = {
  on: true,
  ring: '7-8',
  stamps: 100,
  next: '7-8.1.2.3',
  lost: 4,
  more: false,
  rows: [
    ['pooled', 0, null, item, 1_790_000_000_000_000],
    ['taken', 5, block, item, 3],
    ['delivered', 5, block, null, 4],
  ],
  receivedUs: 10,
  answeredUs: 12,
};

describe('a page of stamps', () => {
  it('as nodes answer it', () => {
    expect(parseStampPage(JSON.stringify(page))).toEqual({
      isOn: true,
      ring: '7-8',
      next: '7-8.1.2.3',
      lost: 4,
      more: false,
      stamps: [
        { stage: 'pooled', height: 0, block: null, item, atUs: 1_790_000_000_000_000 },
        { stage: 'taken', height: 5, block, item, atUs: 3 },
        { stage: 'delivered', height: 5, block, item: null, atUs: 4 },
      ],
      receivedUs: 10,
      answeredUs: 12,
    });
    for (const stage of stampedStages)
      expect(parseStampPage(JSON.stringify({ ...page, rows: [[stage, 1, block, null, 1]] }))).toMatchObject({
        stamps: [{ stage }],
      });
  });

  it('of a node that keeps none', () => {
    expect(parseStampPage('{"on":false,"words":"off","receivedUs":1,"answeredUs":2}')).toEqual({
      isOn: false,
      receivedUs: 1,
      answeredUs: 2,
    });
  });

  it.each([
    ['no JSON', '<html>'],
    ['no object', '7'],
    ['nothing', 'null'],
    ['no times', '{"on":false}'],
    ['half a µs', JSON.stringify({ ...page, receivedUs: 0.5 })],
    ['neither on nor off', JSON.stringify({ ...page, on: 'yes' })],
    ['no rows', JSON.stringify({ ...page, rows: {} })],
    ['no cursor', JSON.stringify({ ...page, next: 7 })],
    ['lost is no number', JSON.stringify({ ...page, lost: null })],
    ['an unknown stage', JSON.stringify({ ...page, rows: [['born', 1, block, null, 1]] })],
    ['a short hash', JSON.stringify({ ...page, rows: [['polka', 1, '0x1', null, 1]] })],
    ['no time of a stamp', JSON.stringify({ ...page, rows: [['polka', 1, block, null]] })],
    ['a row that is none', JSON.stringify({ ...page, rows: ['polka'] })],
  ])('%s: LOAD_ANSWER_MALFORMED', (_, text) => {
    expect(() => parseStampPage(text)).toThrow(expect.objectContaining({ code: 'LOAD_ANSWER_MALFORMED' }));
  });
});
