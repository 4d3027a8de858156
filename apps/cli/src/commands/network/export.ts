import type { Command } from 'commander';
import { withNode } from '../../client/connect.ts';

/** `prime export --verify`: what streams wrote, against the chain. */
export function addExportCommand(program: Command): void {
  withNode(program.command('export'))
    .description('Hold what prime streams wrote against the chain, block by block')
    .requiredOption('--verify', 'name each record that was dropped, doubled or altered; exit code 1 where there is one')
    .argument('[folder]', 'files of NDJSON')
    .option('--postgres', 'tables of PostgreSQL in place of a folder')
    .option('--postgres-url-file <file>', 'file with the URL of the database (else PRIME_STREAMS_POSTGRES_URL)')
    .option('--schema <name>', 'schema of the tables', 'prime')
    .option('--from <height>', 'first block (default: the first one that was written)')
    .option('--to <height>', 'last block (default: the last one that was written)')
    .action(async (folder: string | undefined, flags) =>
      (await import('../../streams/verify.ts')).verify(folder, flags),
    );
}
