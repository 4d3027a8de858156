import { BlockList, isIP } from 'node:net';

/** Whose `X-Forwarded-For` is believed. */
export interface TrustedProxies {
  has(address: string): boolean;
}

/** @param entries addresses, or networks as `10.0.0.0/8`, checked by the configuration */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return { has: (address) => entries.length > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') };
}

/**
 * Address of the caller: of the connection, or what the proxies that are trusted say. The list grows to the right, so it is read
 * from there, up to the first address that is no trusted proxy; what stands further left is the caller's own claim.
 *
 * @param remote as the socket has it
 * @param forwardedFor value of `X-Forwarded-For`; empty when it is absent
 */
export function clientAddress(remote: string, forwardedFor: string, proxies: TrustedProxies): string {
  let address = unmapped(remote);
  if (forwardedFor === '') return address;
  const hops = forwardedFor.split(',').map((hop) => unmapped(hop.trim()));
  while (proxies.has(address)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) return address;
    address = hop;
  }
  return address;
}

/** `0000:…:ffff:7f00:0001`, as dual-stack sockets show IPv4. */
const mapped = /^(?:0+:){5}ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;
const mappedDotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** IPv4 in IPv6 clothes as plain IPv4. */
function unmapped(address: string): string {
  const dotted = mappedDotted.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const match = mapped.exec(address);
  if (match === null) return address;
  const bytes = [match[1]!, match[2]!].flatMap((part) => {
    const value = Number.parseInt(part, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

const loopbackV6 = /^(?:0*:)*0*1$/;

/** Whether an address is of this machine: 127.0.0.0/8 or ::1, in any way of writing it. */
export const isLoopback = (address: string): boolean =>
  /^127\.\d+\.\d+\.\d+$/.test(address) || loopbackV6.test(address);

/** What callers are counted by: IPv4 addresses, and /64 networks of IPv6, of which one household has all addresses. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
