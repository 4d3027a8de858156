import { homePaths } from '@prime/config';
import { decodeWalEntry } from '@prime/engine';
import { dumpWal } from '@prime/storage';
import type { Command } from 'commander';

/** `prime wal dump`: what the write-ahead log of a stopped node holds. */
export function addWalCommands(program: Command): void {
  program
    .command('wal')
    .description('Write-ahead log of the consensus')
    .command('dump')
    .description('Print the entries of the log, oldest height first; changes nothing')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(({ home }: { readonly home: string }) => {
      for (const { height, entries } of dumpWal(homePaths(home).wal))
        for (const entry of entries) console.log(JSON.stringify({ height, ...describe(decodeWalEntry(entry)) }));
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
