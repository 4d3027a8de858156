import { expect, it } from '@jest/globals';
import { defaultLimits, inboundMaxFrom } from './limits.ts';

it.each([
  ['203.0.113.7', 8],
  ['::ffff:203.0.113.7', 8],
  ['2001:db8::127.0.0.1', 8],
  ['10.127.0.1', 8],
  ['127.0.0.1', 64],
  ['127.8.9.10', 64],
  ['::ffff:127.0.0.1', 64],
  ['::1', 64],
])('from %s so many connections may come: %d', (ip, count) => {
  expect(inboundMaxFrom(defaultLimits, ip)).toBe(count);
});
