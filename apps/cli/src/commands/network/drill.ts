import type { Command } from 'commander';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { drillKinds } from '../../drill/names.ts';

/** `prime drill list | NAME`: what operators rehearse, on a network that is there for nothing else. */
export function addDrillCommands(program: Command): void {
  const group = program
    .command('drill')
    .description('Rehearse what operators do, on a network of its own, and say what that proves');
  group
    .command('list')
    .description('What can be rehearsed, and what it proves')
    .option('--json', 'for programs: JSON')
    .action((flags: JsonFlags) => print(flags, drillKinds, listLines));
  for (const kind of drillKinds) {
    const command = group
      .command(kind.name)
      .description(kind.summary)
      .option('--validators <n>', 'number of validators, 4 to 32', `${kind.validators}`)
      .option('--patience <n>', 'all deadlines times n, for machines that are busy', '1')
      .option('--out <dir>', `new or empty folder for homes and logs (default: .prime/drill/${kind.name})`)
      .option('--base-port <port>', 'first port: ten per node, then one per ordered pair (default: what is free)')
      .option('--keep', 'keep the folder also when everything was proved')
      .option('--json', 'for programs: the report as JSON; what happens goes to the error output');
    if (kind.name === 'rolling-upgrade')
      command.option(
        '--program <file>',
        'main.js of the new build (default: this one, which plays the old one as well)',
      );
    // Loaded by who uses it only, as chaos runs are.
    command.action(async (flags) => (await import('../../drill/command.ts')).drill(kind, flags));
  }
}

const listLines = (): string[] => {
  const width = Math.max(...drillKinds.map(({ name }) => name.length));
  return drillKinds.flatMap(({ name, summary, proves }) => [
    `${name.padEnd(width)}  ${summary}`,
    `${' '.repeat(width)}  ${proves}`,
  ]);
};
