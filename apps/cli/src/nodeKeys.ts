import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { formatKeyFile, generateKeyPair, type HomePaths, type KeyKind } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { generateTlsIdentity } from '@prime/network';
import { utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';

/** Writes the keys that a home lacks; those that are there stay. @param withOwner false where the owner's key is kept elsewhere */
export async function makeKeys(paths: HomePaths, withOwner = true): Promise<void> {
  const provider = await cryptoProvider();
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 });
  const write = (path: string, text: string, mode = 0o600): void => writeFileDurably(path, utf8ToBytes(text), mode);
  const makeKey = (path: string, kind: KeyKind): void => {
    if (existsSync(path)) return;
    write(
      path,
      formatKeyFile(
        kind,
        generateKeyPair(provider, (length) => new Uint8Array(randomBytes(length))),
      ),
    );
  };
  if (withOwner) makeKey(paths.ownerKey, 'owner');
  makeKey(paths.signerKey, 'signer');
  if (existsSync(paths.tlsKey) && existsSync(paths.tlsCertificate)) return;
  const tls = await generateTlsIdentity();
  write(paths.tlsKey, tls.privateKeyPem);
  write(paths.tlsCertificate, tls.certificatePem, 0o644);
}
