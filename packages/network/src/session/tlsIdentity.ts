import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { NetworkError } from '../errors.ts';

/** Key and certificate of a node's transport; peers pin the hash of the public key and ignore everything else in it. */
export interface TlsIdentity {
  readonly certificatePem: string;
  /** PKCS #8. Secret. */
  readonly privateKeyPem: string;
  /** SHA-256 of the SubjectPublicKeyInfo, 0x and 64 hex digits. */
  readonly spki: string;
}

/**
 * Makes a P-256 key and a self-signed certificate for it. P-256 and not secp256k1, because TLS libraries no longer offer the latter;
 * the certificate has no end date that matters (9999-12-31), since trust is in the pin and ends with the pin.
 */
export async function generateTlsIdentity(): Promise<TlsIdentity> {
  // Loaded here and not at the top: a running node never makes certificates, and the library takes 0.1 s to load.
  await import('reflect-metadata');
  const { PemConverter, X509CertificateGenerator } = await import('@peculiar/x509');
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: '01',
      name: 'CN=prime',
      notBefore: new Date(Date.UTC(2020, 0, 1)),
      notAfter: new Date(Date.UTC(9999, 11, 31)),
      signingAlgorithm,
      keys,
    },
    webcrypto as Parameters<typeof X509CertificateGenerator.createSelfSigned>[1],
  );
  const certificatePem = certificate.toString('pem');
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificatePem, privateKeyPem: PemConverter.encode(pkcs8, 'PRIVATE KEY'), spki: spkiOf(certificatePem) };
}

/**
 * Pin of a certificate: SHA-256 of its SubjectPublicKeyInfo (DER), 0x and 64 hex digits.
 *
 * @throws NetworkError `NETWORK_CERTIFICATE_INVALID`
 */
export function spkiOf(certificatePem: string): string {
  return spkiOfCertificate(parseCertificate(certificatePem));
}

/** {@link spkiOf} for a parsed certificate. */
export function spkiOfCertificate(certificate: X509Certificate): string {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return `0x${createHash('sha256').update(spki).digest('hex')}`;
}

/**
 * The own pin, after a check that key and certificate belong together: a mix-up would else show only as failed handshakes.
 *
 * @throws NetworkError `NETWORK_CERTIFICATE_INVALID`
 */
export function checkedSpki(identity: Pick<TlsIdentity, 'certificatePem' | 'privateKeyPem'>): string {
  const certificate = parseCertificate(identity.certificatePem);
  let matches: boolean;
  try {
    matches = certificate.checkPrivateKey(createPrivateKey(identity.privateKeyPem));
  } catch (cause) {
    throw invalidCertificate('the TLS key can not be read', cause);
  }
  if (!matches) throw invalidCertificate('the TLS key is not the one of the certificate');
  return spkiOfCertificate(certificate);
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw invalidCertificate('the TLS certificate can not be read', cause);
  }
}

function invalidCertificate(message: string, cause?: unknown): NetworkError {
  return new NetworkError(message, { code: 'NETWORK_CERTIFICATE_INVALID' }, { cause });
}
