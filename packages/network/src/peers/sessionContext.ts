import { randomBytes } from 'node:crypto';
import { bytesToHex } from '@prime/primitives';
import type { Endpoint, NetworkOptions } from '../options.ts';
import { networkVersion } from '../wire/hello.ts';
import type { SessionContext } from '../session/session.ts';

/** `host:port`, an IPv6 address in brackets; empty for none. */
export function endpointText(endpoint: Endpoint | null): string {
  if (endpoint === null) return '';
  const { host, port } = endpoint;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * What all sessions of a network share, from its options.
 *
 * @param parts what the network made of them: `spki` of its own TLS key, and the pins as of now
 */
export function sessionContext(
  options: NetworkOptions,
  parts: Pick<SessionContext, 'limits' | 'counters'> & { readonly spki: string } & Pick<
      SessionContext['rules'],
      'pins'
    >,
): SessionContext {
  const { identity, chainId, genesisHash, provider, signersOf, headHeight, clock, advertise } = options;
  const { protocolVersion = networkVersion, protocol } = options;
  const { limits, counters, spki, pins } = parts;
  const instance = bytesToHex(randomBytes(32));
  return {
    rules: {
      provider,
      protocolVersion,
      chainId,
      genesisHash,
      self: { address: identity.address, spki },
      pins,
      acceptUnknownFollowers: options.acceptUnknownFollowers ?? true,
      signersOf,
      formerSignersOf: options.formerSignersOf ?? (() => []),
      headHeight,
    },
    limits,
    clock,
    counters,
    greeting: () => ({
      protocolVersion,
      chainId,
      genesisHash,
      role: identity.role,
      address: identity.address,
      listenAddress: endpointText(advertise),
      height: headHeight(),
      instance,
      protocol: protocol(),
    }),
    sign: (digest) => identity.sign(digest),
    credential: identity.credential,
  };
}
