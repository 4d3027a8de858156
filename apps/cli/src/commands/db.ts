import { parseGenesis } from '@prime/config';
import { checkHome, type HomePart, NodeError, readHomeFile } from '@prime/node';
import type { Command } from 'commander';
import { parseWholeNumber } from '../errors.ts';
import { existingHome } from '../files.ts';

interface CheckFlags {
  readonly home: string;
  readonly blocks?: string;
}

/** `prime db check`: whether what a stopped node keeps is whole. */
export function addDbCommands(program: Command): void {
  const db = program.command('db').description('What a stopped node keeps: blocks, state, log, sign state');
  db.command('check')
    .description('Look at all of it, say what is damaged and what to do; changes nothing')
    .requiredOption('--home <dir>', 'home folder of the node, which must not run')
    .option('--blocks <count>', 'only so many of the newest blocks (default: all)')
    .action(async ({ home, blocks }: CheckFlags) => {
      const newestBlocks =
        blocks === undefined ? null : parseWholeNumber(blocks, '--blocks', 1, Number.MAX_SAFE_INTEGER);
      const paths = await existingHome(home);
      const genesis = parseGenesis(await readHomeFile(paths.genesis));
      const parts = await checkHome(paths, genesis, { newestBlocks });
      for (const line of parts.flatMap(linesOf)) console.log(line);
      const damaged = parts.filter(({ faults }) => faults.length > 0).map(({ name }) => name);
      if (damaged.length > 0)
        throw new NodeError(`${paths.home} is damaged: ${damaged.join(', ')}`, {
          code: 'HOME_DAMAGED',
          parts: damaged,
        });
    });
}

function linesOf({ name, summary, notes, faults, cure }: HomePart): string[] {
  const verdict = faults.length === 0 ? 'whole' : 'DAMAGED';
  const line = (text: string, head = ''): string => `${head.padEnd(12)}${text}`;
  return [
    line(summary === '' ? verdict : `${summary}: ${verdict}`, name),
    ...[...notes, ...faults].map((text) => line(text)),
    ...(faults.length === 0 ? [] : [line(`-> ${cure}`)]),
  ];
}
