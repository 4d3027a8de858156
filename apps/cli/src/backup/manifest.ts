/**
 * What a backup says of itself: `backup.json` in its folder, with the SHA-256 of every other file. It is written last, so that a backup that was cut off is none.
 *
 * Checksums find damage. They prove nothing against somebody who may write to the folder: keep it like the home.
 */
import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { CliError } from '../errors.ts';

/** File of a backup that names all others; without it the folder is no backup. */
export const manifestName = 'backup.json';
const format = 'prime-backup-1';

const hash = Type.String({ pattern: '^0x[0-9a-f]{64}$' });
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const fileSchema = Type.Object(
  {
    /** Below the folder, with slashes. */
    path: Type.String({ pattern: '^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$' }),
    bytes: whole,
    /** SHA-256, hex. */
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
);

const schema = Type.Object(
  {
    format: Type.Literal(format),
    /** When it was made, ISO 8601. */
    createdAt: Type.String({ format: 'date-time' }),
    network: Type.String(),
    chainId: whole,
    genesisHash: hash,
    /** Addresses of the hot keys; of a remote signer, those that the node knows. */
    signers: Type.Array(Type.String({ pattern: '^0x[0-9a-f]{40}$' })),
    /** Newest signature that was known; null is none. */
    watermark: Type.Union([Type.Null(), Type.Object({ height: whole, round: whole, step: whole })]),
    /** Height of the state; null where there is none in it. */
    height: Type.Union([Type.Null(), whole]),
    files: Type.Array(fileSchema),
  },
  { additionalProperties: false },
);

/** What `backup.json` says, as far as its form can be checked. */
export type BackupManifest = Static<typeof schema>;

/** One file of a backup: path in its folder, bytes and SHA-256. */
export type BackupFile = Static<typeof fileSchema>;

/** As it is written: the manifest and behind it, in the same object, the checksum of its own text. */
export function formatManifest(manifest: Omit<BackupManifest, 'format'>): string {
  const named = { format, ...manifest };
  return `${JSON.stringify({ ...named, sha256: checksumOf(named) }, null, 2)}\n`;
}

/** @throws CliError `CLI_BACKUP_DAMAGED` */
export function parseManifest(text: string, folder: string): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damaged(folder, manifestName, 'is no JSON', cause);
  }
  const { sha256: _checksum, ...manifest } = (value ?? {}) as { readonly sha256?: unknown } & BackupManifest;
  const isManifest = new Ajv({ formats: { 'date-time': true } }).compile<BackupManifest>(schema);
  if (!isManifest(manifest)) {
    const [first] = isManifest.errors ?? [];
    throw damaged(folder, manifestName, `is not of the form ${format}: ${first?.instancePath ?? ''} ${first?.message}`);
  }
  // Byte for byte, its checksum included.
  if (text !== formatManifest(manifest)) throw damaged(folder, manifestName, 'was changed since it was written');
  return manifest;
}

const checksumOf = (manifest: object): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** @param file below the folder @param reason behind its name */
export const damaged = (path: string, file: string, reason: string, cause?: unknown): CliError =>
  new CliError(
    `the backup ${path} can not be used: ${file} ${reason}`,
    { code: 'CLI_BACKUP_DAMAGED', path, file, reason },
    { cause },
  );
