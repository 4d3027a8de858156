import { describe, expect, it } from '@jest/globals';
import { addressGroup, clientAddress, isLoopback, trustedProxies } from './clientAddress.ts';

const proxies = trustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
const nobody = trustedProxies([]);

describe('clientAddress', () => {
  it.each([
    ['no header', '10.0.0.1', '', '10.0.0.1'],
    ['a proxy that is trusted', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a chain of trusted proxies', '10.0.0.1', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['a claim of the caller left of what a proxy saw', '127.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['a caller that is no proxy', '203.0.113.7', '127.0.0.1', '203.0.113.7'],
    ['what is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['nothing but proxies', '127.0.0.1', '10.0.0.5', '10.0.0.5'],
    ['IPv6', 'fd00:0000:0000:0000:0000:0000:0000:0001', '2001:db8::7', '2001:db8::7'],
    ['IPv4 on a dual-stack socket', '0000:0000:0000:0000:0000:ffff:7f00:0001', '203.0.113.7', '203.0.113.7'],
  ])('%s', (_, remote, forwardedFor, expected) => {
    expect(clientAddress(remote, forwardedFor, proxies)).toBe(expected);
  });

  it('nobody is trusted: the header says nothing', () => {
    expect(clientAddress('127.0.0.1', '203.0.113.7', nobody)).toBe('127.0.0.1');
  });
});

describe('isLoopback', () => {
  it('tells this machine from others', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '0000:0000:0000:0000:0000:0000:0000:0001'])
      expect([address, isLoopback(address)]).toEqual([address, true]);
    for (const address of ['128.0.0.1', '::2', '2001:db8::1', '', '1127.0.0.1', '127.0.0.1.example'])
      expect([address, isLoopback(address)]).toEqual([address, false]);
  });
});

describe('addressGroup', () => {
  it('IPv4 stands for itself, IPv6 for its /64', () => {
    expect(addressGroup('203.0.113.7')).toBe('203.0.113.7');
    const network = '2001:db8:0:5::/64';
    for (const address of ['2001:db8:0:5::1', '2001:0db8:0000:0005:1:2:3:4', '2001:DB8:0:5:ffff::'])
      expect([address, addressGroup(address)]).toEqual([address, network]);
    expect(addressGroup('::1')).toBe('0:0:0:0::/64');
  });
});
