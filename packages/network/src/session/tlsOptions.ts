import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { NetworkError } from '../errors.ts';
import { alpnProtocol, tlsProtocol } from './session.ts';
import { checkedSpki, type TlsIdentity } from './tlsIdentity.ts';

/** What dialling and accepting share. */
export interface TlsSettings {
  /** Made once; what dials uses it. A TLS server makes its own from the fields below and does not look at this one. */
  readonly secureContext: SecureContext;
  readonly cert: string;
  readonly key: string;
  readonly secureOptions: number;
  readonly minVersion: typeof tlsProtocol;
  readonly maxVersion: typeof tlsProtocol;
  readonly ALPNProtocols: string[];
  /** Certificates are self-signed: the session compares the pin instead. */
  readonly rejectUnauthorized: false;
}

/**
 * TLS 1.3 only, and without resumption: no tickets that hold a session (SSL_OP_NO_TICKET), and no store that could resolve the
 * identifiers that OpenSSL then sends in their place. Node never offers early data. {@link createSession} refuses a resumed
 * connection all the same.
 *
 * @param protocol the application protocol that both ends must name
 * @throws NetworkError `NETWORK_CERTIFICATE_INVALID`
 */
export function createTlsSettings(
  identity: Pick<TlsIdentity, 'certificatePem' | 'privateKeyPem'>,
  protocol: string = alpnProtocol,
): {
  readonly settings: TlsSettings;
  readonly spki: string;
} {
  const spki = checkedSpki(identity);
  const base = {
    cert: identity.certificatePem,
    key: identity.privateKeyPem,
    secureOptions: constants.SSL_OP_NO_TICKET,
    minVersion: tlsProtocol,
    maxVersion: tlsProtocol,
  } as const;
  let secureContext: SecureContext;
  try {
    secureContext = createSecureContext(base);
  } catch (cause) {
    throw new NetworkError('TLS refuses the certificate', { code: 'NETWORK_CERTIFICATE_INVALID' }, { cause });
  }
  const settings: TlsSettings = {
    ...base,
    secureContext,
    ALPNProtocols: [protocol],
    rejectUnauthorized: false,
  };
  return { settings, spki };
}
