import { Command, Help } from 'commander';
import { commandGroups } from './commandGroups.ts';
import { commandExamples } from './examples.ts';

/** They speak of all commands, whichever is typed. */
const ofAll = new Set(['completion']);

/** The version is no command's: none is loaded for it. */
const asksVersion = new Set(['--version', '-V']);

/** The command that many nodes on one machine wait for, alone. It is one of the group `node` as well, for help. */
const nodeStart = async (program: Command): Promise<void> =>
  (await import('./commands/node/nodeStart.ts')).addNodeStartCommand(program.command('node'));

/**
 * The `prime` command, which throws what goes wrong.
 *
 * @param args what it will be given: it has the group that they name, or all where they name none
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('prime')
    .description('Prime: an exchange chain. Run and look after validators, trade, and ask nodes.')
    .version('0.1.0')
    .exitOverride()
    .configureHelp({
      optionDescription(option) {
        const text = Help.prototype.optionDescription.call(this, option);
        return option.mandatory ? `${text} (required)` : text;
      },
    })
    // As any other failure: one line that says who speaks, with its code.
    .configureOutput({
      outputError: (text, write) => write(`${text.replace(/^error: /, 'prime: ').trimEnd()} [CLI_USAGE]\n`),
    });
  const [group = '', command] = args;
  if (group === 'node' && command === 'start') await nodeStart(program);
  else if (Object.hasOwn(commandGroups, group) && !ofAll.has(group)) {
    const addTo = await commandGroups[group]!();
    addTo(program);
  } else if (!asksVersion.has(group)) {
    const { addEveryGroup } = await import('./commands/every.ts');
    await addEveryGroup(program);
  }
  showExamples(program, []);
  return program;
}

/** Puts its examples below the help of each command. */
function showExamples(command: Command, path: readonly string[]): void {
  const examples = commandExamples[path.join(' ')];
  if (examples !== undefined) {
    const lines = examples.map((words) => `  prime ${[...path, words].join(' ')}`.trimEnd());
    command.addHelpText('after', ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n'));
  }
  for (const each of command.commands) showExamples(each, [...path, each.name()]);
}
