import { checkHome, type HomePart, NodeError, repairHome, restoreSnapshot } from '@prime/node';
import type { Command } from 'commander';
import { parseWholeNumber } from '../../errors.ts';
import { findSnapshot } from '../../home/snapshotFolder.ts';
import { openHome } from '../../home/openHome.ts';

interface CheckFlags {
  readonly home: string;
  readonly blocks?: string;
}

interface RepairFlags {
  readonly home: string;
  readonly from?: string;
  readonly height?: string;
}

/** `prime db check | repair`: whether what a stopped node keeps is whole, and how it becomes so again. */
export function addDbCommands(program: Command): void {
  const db = program.command('db').description('What a stopped node keeps: blocks, state, log, sign state');
  db.command('check')
    .description('Look at all of it, say what is damaged and what to do; changes nothing')
    .requiredOption('--home <dir>', 'home folder of the node, which must not run')
    .option('--blocks <count>', 'only so many of the newest blocks (default: all)')
    .action(async ({ home, blocks }: CheckFlags) => {
      const newestBlocks =
        blocks === undefined ? null : parseWholeNumber(blocks, '--blocks', 1, Number.MAX_SAFE_INTEGER);
      const { paths, genesis } = await openHome(home);
      const parts = await checkHome(paths, genesis, { newestBlocks });
      for (const line of parts.flatMap(linesOf)) console.log(line);
      const damaged = parts.filter(({ faults }) => faults.length > 0).map(({ name }) => name);
      if (damaged.length > 0)
        throw new NodeError(`${paths.home} is damaged: ${damaged.join(', ')}`, {
          code: 'HOME_DAMAGED',
          parts: damaged,
        });
    });
  db.command('repair')
    .description('Set aside what is damaged: the node makes it anew from its blocks, from peers or from a snapshot')
    .requiredOption('--home <dir>', 'home folder of the node, which must not run')
    .option('--from <dir>', 'folder with snapshots that you trust, DIR/snapshots of another home: begin with one')
    .option('--height <height>', 'which one (default: the newest)')
    .action(repair);
}

async function repair({ home, from, height }: RepairFlags): Promise<void> {
  const { paths, genesis } = await openHome(home);
  const snapshot = from === undefined ? null : findSnapshot(from, height);
  const refill =
    snapshot === null ? null : () => restoreSnapshot({ home: paths, genesis }, snapshot.manifest, snapshot.chunks());
  const { parts, setAside } = await repairHome(paths, genesis, refill);
  for (const line of parts.flatMap(linesOf)) console.log(line);
  for (const { from: folder, to } of setAside) console.log(`${folder} is set aside as ${to}`);
  if (setAside.length === 0) console.log('blocks and state are not damaged: nothing to repair');
  else if (snapshot !== null) console.log(`restored the snapshot of height ${snapshot.manifest.height}`);
  else console.log('start the node: it makes anew what is missing');
}

function linesOf({ name, summary, remarks, faults, cure }: HomePart): string[] {
  const verdict = faults.length === 0 ? 'whole' : 'DAMAGED';
  const line = (text: string, head = ''): string => `${head.padEnd(12)}${text}`;
  return [
    line(summary === '' ? verdict : `${summary}: ${verdict}`, name),
    ...[...remarks, ...faults].map((text) => line(text)),
    ...(faults.length === 0 ? [] : [line(`-> ${cure.words}`)]),
  ];
}
