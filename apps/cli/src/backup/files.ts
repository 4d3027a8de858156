import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '@prime/storage';
import { type BackupFile, type BackupManifest, damaged, manifestName } from './manifest.ts';

/** All files below a folder, by their names below it, in order. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) =>
      entry.isDirectory()
        ? (await filesIn(join(folder, entry.name))).map((name) => `${entry.name}/${name}`)
        : entry.name,
    ),
  );
  return found.flat().toSorted();
}

/** What a file is now. It is read in pieces: a chunk of a state is a MiB, and there may be thousands. */
export async function describeFile(folder: string, path: string): Promise<BackupFile> {
  const file = join(folder, path);
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return { path, bytes: (await stat(file)).size, sha256: digest.digest('hex') };
}

/**
 * Compares what is in the folder of a backup with what it says: nothing is missing, longer, shorter or other, and there is nothing more.
 *
 * @throws CliError `CLI_BACKUP_DAMAGED` with the file
 */
export async function compareFiles(folder: string, { files }: BackupManifest): Promise<void> {
  const present = new Set(await filesIn(folder));
  for (const { path, bytes, sha256 } of files) {
    if (!present.delete(path)) throw damaged(folder, path, 'is missing');
    const found = await describeFile(folder, path);
    if (found.bytes !== bytes) throw damaged(folder, path, `has ${found.bytes} bytes, and had ${bytes}`);
    if (found.sha256 !== sha256) throw damaged(folder, path, 'was changed since it was written');
  }
  present.delete(manifestName);
  const [more] = present;
  if (more !== undefined) throw damaged(folder, more, 'is not part of it');
}

/** Moves a folder, also to another disk. Both places are durable when it returns. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, errorOnExist: true });
    await rm(from, { recursive: true });
  }
  syncFolder(join(to, '..'));
}
