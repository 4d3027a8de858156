import { isIP } from 'node:net';

/** A TCP endpoint. */
export interface ListenAddress {
  /** Name, IPv4 address, or IPv6 address without brackets. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

const pattern = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/;

/** @returns null unless the text is `host:port` or `[ipv6]:port` with a port of 0..65535 */
export function parseListenAddress(text: string): ListenAddress | null {
  const match = pattern.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? null : { host, port };
}

/** The inverse of {@link parseListenAddress}. */
export const formatListenAddress = ({ host, port }: ListenAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Whether the text is an IP address or, with `/` and the length of its prefix, a network. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
