/**
 * What a node knows of its remote signer between two connections: its keys, and the word of each that the node's TLS key speaks for it.
 * With it a node starts, connects to its peers and follows the chain while the signer is away.
 *
 *   {"format": "prime-remote-signer-1", "keys": [{"address": "0x…", "credential": "0x…"}]}
 */
import { type Address, bytesToHex, hexToBytes, parseAddress } from '@prime/primitives';
import { ConfigError } from '../errors.ts';

/** A hot key elsewhere. The credential is its signature over the node's TLS pin, and no secret. */
export interface RemoteSignerKey {
  readonly address: Address;
  /** 65 bytes. */
  readonly credential: Uint8Array;
}

const format = 'prime-remote-signer-1';

/** Content of the file, with a newline at the end; {@link parseRemoteSigner} reads it. */
export const formatRemoteSigner = (keys: readonly RemoteSignerKey[]): string =>
  `${JSON.stringify({ format, keys: keys.map(({ address, credential }) => ({ address, credential: bytesToHex(credential) })) }, null, 2)}\n`;

/** @throws ConfigError `CONFIG_KEY_FILE_INVALID` */
export function parseRemoteSigner(text: string, path: string): RemoteSignerKey[] {
  const invalid = (allowed: string): ConfigError =>
    new ConfigError(`${path} can not be used: it needs ${allowed}; the signer writes it anew when it is removed`, {
      code: 'CONFIG_KEY_FILE_INVALID',
      path,
      allowed,
    });
  let file: { readonly format?: unknown; readonly keys?: unknown };
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    throw invalid('JSON');
  }
  if (file?.format !== format) throw invalid(`"format": "${format}"`);
  if (!Array.isArray(file.keys) || file.keys.length === 0) throw invalid('"keys", a list with a key');
  return file.keys.map((entry: unknown) => {
    const { address, credential } = (entry ?? {}) as Record<string, unknown>;
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
      throw invalid('an address of 0x and 40 hex digits');
    if (typeof credential !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(credential))
      throw invalid('a credential of 0x and 130 hex digits');
    return { address: parseAddress(address), credential: hexToBytes(credential, 65) };
  });
}
