import { genesisHash } from '@prime/codec';
import { decodeWalEntry } from '@prime/engine';
import { dumpWal, repairWal } from '@prime/storage';
import type { Command } from 'commander';
import { existingHome } from '../../files.ts';
import { openHome, whileLocked, withSignState } from '../../home/openHome.ts';

interface HomeOption {
  readonly home: string;
}

/** `prime wal dump | repair`: the write-ahead log of a stopped node. */
export function addWalCommands(program: Command): void {
  const wal = program.command('wal').description('Write-ahead log of the consensus');
  wal
    .command('dump')
    .description('Print the entries of the log, oldest height first; changes nothing')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(async ({ home }: HomeOption) => {
      for (const { height, entries } of dumpWal((await existingHome(home)).wal))
        for (const entry of entries) console.log(JSON.stringify({ height, ...describe(decodeWalEntry(entry)) }));
    });
  wal
    .command('repair')
    .description('Set a damaged log aside, so that the node starts again; refused without an intact sign state')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(repair);
}

async function repair({ home }: HomeOption): Promise<void> {
  const { paths, genesis } = await openHome(home);
  return whileLocked(paths, async () => {
    // It is what keeps the validator from contradicting itself without its log: no repair without it.
    const newest = withSignState(paths.signState, genesis, (store) => store.read());
    const repaired = repairWal(paths.wal, genesisHash(genesis));
    if (repaired === null) return console.log('the log is not damaged: nothing to repair');
    console.log(`damaged: ${repaired.reason}`);
    console.log(`set aside as ${repaired.setAsideAs}`);
    console.log(
      newest === null
        ? 'nothing was ever signed here'
        : `the node signs nothing at or before height ${newest.height}, round ${newest.round}, step ${newest.step}`,
    );
  });
}

function describe(entry: ReturnType<typeof decodeWalEntry>): object {
  switch (entry.kind) {
    case 'vote': {
      const { type, round, blockHash, validator } = entry.vote;
      return { kind: type, round, blockHash, validator };
    }
    case 'proposal': {
      const { round, polRound, blockHash, proposer } = entry.proposal;
      const { transactions, actions } = entry.block;
      const counts = { transactions: transactions.length, actions: actions.length };
      return { kind: entry.kind, round, polRound, blockHash, proposer, validity: entry.validity, ...counts };
    }
    default:
      return entry;
  }
}
