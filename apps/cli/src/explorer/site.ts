import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type CliError, notFound, usageError } from '../errors.ts';
import { isSite, startPage } from './sitePlace.ts';

/** How the bytes of an answer are packed, in the order in which they are preferred. */
export const codings = ['br', 'gzip'] as const;

/** A content coding of HTTP in which files are served, by its name in `accept-encoding`. */
export type Coding = (typeof codings)[number];

/** A file of the explorer as it is served. */
export interface SiteFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, shortened; the same file has it on every machine. */
  readonly digest: string;
  /** Its name changes with its bytes, so what a browser has is right for ever. */
  readonly isHashed: boolean;
  /** Null where packing makes nothing smaller. Packed when it is first asked for. */
  packed(coding: Coding): Promise<Buffer | null>;
}

/** Files of a folder by their paths, which begin with `/`. All is in memory: no path of a request ever reaches the file system. */
export type Site = ReadonlyMap<string, SiteFile>;

const filesMax = 10_000;
const bytesMax = 64 * 1024 * 1024;
/** Smaller files fit in a packet as they are, bytes. */
const packedFrom = 1_024;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** Packed already by what they are. */
const isDense = (type: string): boolean => /^(?:image\/(?!svg)|font\/)/.test(type);

/** As Vite names what it builds. */
const hashedPath = /^\/assets\/(?:[^/]+\/)*[^/]+-[\w-]{8,}\.\w+(?:\.map)?$/;

/**
 * Reads the files of a folder; names that begin with a dot, and what is no plain file, are left out.
 *
 * @throws CliError `CLI_NOT_FOUND` for a folder without a start page, `CLI_USAGE` for one that is too large
 */
export async function readSite(folder: string): Promise<Site> {
  if (!isSite(folder))
    throw notFound(`${folder} has no ${startPage}: npm run build makes the pages of the explorer`, folder);
  const site = new Map<string, SiteFile>();
  let bytes = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // What Node 20 calls `path` later ones call `parentPath`.
    const parent = (entry as { readonly parentPath?: string }).parentPath ?? entry.path;
    const names = relative(folder, join(parent, entry.name)).split(sep);
    if (names.some((name) => name.startsWith('.'))) continue;
    const file = siteFile(`/${names.join('/')}`, await readFile(join(parent, entry.name)));
    bytes += file.bytes.length;
    if (site.size >= filesMax || bytes > bytesMax) throw tooLarge(folder);
    site.set(`/${names.join('/')}`, file);
  }
  return site;
}

const tooLarge = (folder: string): CliError =>
  usageError(`${folder} is no site of an explorer: more than ${filesMax} files, or ${bytesMax} bytes`, '--site');

function siteFile(path: string, bytes: Buffer): SiteFile {
  const type = types[extname(path).toLowerCase()] ?? 'application/octet-stream';
  const isPackable = bytes.length >= packedFrom && !isDense(type);
  const made = new Map<Coding, Promise<Buffer | null>>();
  return {
    type,
    bytes,
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    isHashed: hashedPath.test(path),
    packed: async (coding) => {
      if (!isPackable) return null;
      let packed = made.get(coding);
      if (packed === undefined) made.set(coding, (packed = pack(coding, bytes)));
      return packed;
    },
  };
}

/** Nine tenths of what the best level saves, in a tenth of its time. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

async function pack(coding: Coding, bytes: Buffer): Promise<Buffer | null> {
  const packed = coding === 'br' ? await promisify(brotliCompress)(bytes, brotliOptions) : await promisify(gzip)(bytes);
  return packed.length < bytes.length ? packed : null;
}
