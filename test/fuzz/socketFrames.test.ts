import { describe, expect, it } from '@jest/globals';
import { messagesIn, textFrame } from './socketFrames.ts';

const upgraded = Buffer.from('HTTP/1.1 101 Switching Protocols\r\n\r\n');

describe('frames of the fuzzer', () => {
  it('reads whole messages of a node, of any length, and no half ones (RFC 6455, section 5.7)', () => {
    const hello = Buffer.from([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]);
    const ping = Buffer.from([0x89, 0x00]);
    const long = Buffer.concat([Buffer.from([0x81, 126, 1, 0]), Buffer.alloc(256, 'x')]);
    const longer = Buffer.concat([Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536, 'y')]);
    const all = Buffer.concat([upgraded, hello, ping, long, longer]);
    expect(messagesIn(all)).toEqual(['Hello', 'x'.repeat(256), 'y'.repeat(65_536)]);
    expect(messagesIn(all.subarray(0, -1))).toHaveLength(2);
    expect(messagesIn(upgraded)).toEqual([]);
  });

  it('writes masked text with the length in its three forms', () => {
    expect([...textFrame(Buffer.from('Hi'))]).toEqual([0x81, 0x82, 0, 0, 0, 0, 0x48, 0x69]);
    expect([...textFrame(Buffer.alloc(300)).subarray(0, 4)]).toEqual([0x81, 0xfe, 1, 0x2c]);
    expect([...textFrame(Buffer.alloc(70_000)).subarray(0, 10)]).toEqual([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0x11, 0x70]);
  });
});
