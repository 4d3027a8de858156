import { resetHome } from '@prime/node';
import type { Command } from 'commander';
import { confirm } from '../../terminal/confirm.ts';
import { existingHome, refuseOtherKind } from '../../files.ts';

interface ResetFlags {
  readonly home: string;
  readonly yes?: boolean;
}

/** `prime node reset`: a home as it was before its first start, apart from what its signer signed. */
export function addNodeResetCommand(node: Command): void {
  node
    .command('reset')
    .description('Remove the data of the chain from a stopped node; keys, settings and the sign state stay. Asks first')
    .requiredOption('--home <dir>', 'home folder of the node, which must not run')
    .option('--yes', 'do not ask')
    .action(reset);
}

async function reset({ home, yes = false }: ResetFlags): Promise<void> {
  const paths = await existingHome(home);
  refuseOtherKind(home, 'node');
  await confirm(
    `Blocks, state, snapshots, log and evidence of ${paths.home} are removed: the node fetches them anew from its peers, and votes again behind what it ` +
      'signed last. Do not do this to a third of the voting power at once, nor to the only node that has the blocks.',
    yes,
  );
  const removed = await resetHome(paths);
  console.log(removed.length === 0 ? 'there was nothing to remove' : `removed ${removed.join(', ')}`);
  console.log('kept keys, config.toml, genesis.json and sign-state.bin');
}
