import { type SnapshotManifest, snapshotId } from '@prime/codec';
import { createSnapshot, restoreSnapshot } from '@prime/node';
import { openSnapshotStore } from '@prime/storage';
import type { Command } from 'commander';
import { existingHome } from '../../files.ts';
import { findSnapshot } from '../../home/snapshotFolder.ts';
import { openHome, whileLocked } from '../../home/openHome.ts';

const describe = (manifest: SnapshotManifest): string =>
  `${manifest.height}  ${snapshotId(manifest)}  state root ${manifest.stateRoot}  ${manifest.chunkHashes.length} MiB`;

interface RestoreFlags {
  readonly home: string;
  readonly from: string;
  readonly height?: string;
}

/** `prime snapshot create | list | restore`. */
export function addSnapshotCommands(program: Command): void {
  const snapshot = program.command('snapshot').description('State of a node at one block, to start another node from');
  snapshot
    .command('create')
    .description('Take a snapshot of a stopped node')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(async ({ home }: { home: string }) => {
      console.log(describe(await createSnapshot(await existingHome(home))));
    });
  snapshot
    .command('list')
    .description('Snapshots of a node: height, name, state root, size')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(async ({ home }: { home: string }) => {
      const { snapshots } = await existingHome(home);
      const manifests = openSnapshotStore(snapshots)
        .list()
        .map(({ manifest }) => manifest);
      for (const manifest of manifests) console.log(describe(manifest));
      if (manifests.length === 0) console.log(`no snapshots in ${snapshots}`);
    });
  snapshot
    .command('restore')
    .description('Start a home without state and blocks from a snapshot that you trust, of your own nodes for instance')
    .requiredOption('--home <dir>', 'home folder to fill; its genesis.json must be there')
    .requiredOption('--from <dir>', 'folder with snapshots: DIR/snapshots of another home')
    .option('--height <height>', 'which one (default: the newest)')
    .action(async (flags: RestoreFlags) => restore(flags));
}

async function restore({ home, from, height }: RestoreFlags): Promise<void> {
  const { paths, genesis } = await openHome(home);
  const { manifest, chunks } = findSnapshot(from, height);
  await whileLocked(paths, async () => {
    await restoreSnapshot({ home: paths, genesis }, manifest, chunks());
  });
  console.log(`restored ${describe(manifest)}`);
}
