import { definitions } from '@prime/rpc';
import { Argument, type Command } from 'commander';
import { completionScript, type Shell, shells } from '../../client/completion/scripts.ts';
import { placesOf } from '../../client/completion/words.ts';

/** `prime completion`: what a shell needs to complete commands, options, and the methods of `prime rpc`. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print what a shell reads to complete prime: put source <(prime completion bash) into ~/.bashrc')
    .addArgument(new Argument('<shell>', 'which shell').choices([...shells]))
    .action((shell: Shell) => {
      const methods = definitions.map(({ name, summary }) => ({ text: name, about: summary }));
      process.stdout.write(completionScript(shell, placesOf(program, { rpc: methods })));
    });
}
