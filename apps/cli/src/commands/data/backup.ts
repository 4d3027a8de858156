import { parseGenesis } from '@prime/config';
import type { Command } from 'commander';
import { createBackup } from '../../backup/create.ts';
import type { BackupManifest } from '../../backup/manifest.ts';
import { restoreBackup, verifyBackup } from '../../backup/restore.ts';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { confirm } from '../../terminal/confirm.ts';
import { existingHome, readGiven } from '../../files.ts';

/** `prime backup create | verify | restore`: a home that can be made again, and never signs twice by it. */
export function addBackupCommands(program: Command): void {
  const backup = program.command('backup').description('Keys, settings and state of a node, to make its home again');
  backup
    .command('create')
    .description('Back a home up into a new folder, also while the node runs')
    .requiredOption('--home <dir>', 'home folder of the node')
    .requiredOption('--out <dir>', 'new folder; keep it like the home: the TLS key in it is not encrypted')
    .option('--no-state', 'without the state, which a restored home then fetches from its peers')
    .option('--json', 'for programs: JSON')
    .action(create);
  backup
    .command('verify')
    .description('Whether a backup is whole: every file, its length and its checksum')
    .argument('<dir>', 'what create wrote')
    .option('--genesis <file>', 'genesis.json of the network that it has to be of')
    .option('--json', 'for programs: JSON')
    .action(verify);
  backup
    .command('restore')
    .description('Make a home of a backup. It signs nothing until others have decided some blocks. Asks first')
    .argument('<dir>', 'what create wrote')
    .requiredOption('--home <dir>', 'folder to make: new or empty')
    .option('--genesis <file>', 'genesis.json of the network that it has to be of')
    .option('--yes', 'do not ask')
    .action(restore);
}

interface CreateFlags extends JsonFlags {
  readonly home: string;
  readonly out: string;
  /** False with `--no-state`. */
  readonly state: boolean;
}

async function create({ home, out, state, ...flags }: CreateFlags): Promise<void> {
  const paths = await existingHome(home);
  const made = await createBackup(paths, out, state);
  print(flags, made, () => [
    `${made.folder}: ${made.fileCount} files, ${stateWords(made.height)}`,
    ...(made.why === null ? [] : [`without state, because ${made.why}`]),
    'the password of its keys is not in it: keep that elsewhere',
  ]);
}

const stateWords = (height: number | null): string =>
  height === null ? 'no state' : `the state after block ${height}`;

interface VerifyFlags extends JsonFlags {
  readonly genesis?: string;
}

const verified = async (from: string, { genesis }: VerifyFlags): ReturnType<typeof verifyBackup> =>
  verifyBackup(from, genesis === undefined ? null : parseGenesis(await readGiven(genesis, '--genesis')));

async function verify(from: string, flags: VerifyFlags): Promise<void> {
  const { folder, manifest } = await verified(from, flags);
  const { files, ...rest } = manifest;
  print(flags, { folder, ...rest, fileCount: files.length }, () => [
    `${folder} is whole: ${files.length} files, ${stateWords(manifest.height)}, of ${manifest.createdAt}`,
    `network ${manifest.network}, genesis ${manifest.genesisHash}`,
    `keys ${manifest.signers.join(', ')}`,
    watermarkWords(manifest),
  ]);
}

function watermarkWords({ watermark }: BackupManifest): string {
  if (watermark === null) return 'nothing was signed until then';
  const { height, round, step } = watermark;
  return `signed up to height ${height}, round ${round}, step ${step}, at least`;
}

interface RestoreFlags extends VerifyFlags {
  readonly home: string;
  readonly yes?: boolean;
}

async function restore(from: string, { home, yes = false, ...flags }: RestoreFlags): Promise<void> {
  const backup = await verified(from, flags);
  const { manifest } = backup;
  await confirm(
    `${home} is made of a backup of ${manifest.createdAt}, with the hot key ${manifest.signers.join(', ')}. Nothing else may run with that key, now or later: ` +
      'the old machine has to be gone, or its disk emptied. The restored node signs nothing before others have decided some blocks in its sight.',
    yes,
  );
  const paths = await restoreBackup(backup, home);
  console.log(`restored ${paths.home}: ${stateWords(manifest.height)}`);
  console.log(`its keys need their password: ${paths.keyPassword}, or another source`);
}
