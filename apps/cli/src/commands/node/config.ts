import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeConfig, homePaths, loadConfig } from '@prime/config';
import { readHomeFile } from '@prime/node';
import type { Command } from 'commander';
import { noHome } from '../../files.ts';

/** `prime config check`: what a node would run with, and where each value comes from. */
export function addConfigCommands(program: Command): void {
  program
    .command('config')
    .description('Configuration of a node')
    .command('check')
    .description('Check config.toml and PRIME_ variables and print every value with its source')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(async ({ home }: { readonly home: string }) => {
      const paths = homePaths(resolve(home));
      const { config } = paths;
      if (!existsSync(config)) throw noHome(paths, 'config.toml');
      const file = { name: config, text: await readHomeFile(config) };
      for (const line of describeConfig(loadConfig({ file, environment: process.env }))) console.log(line);
    });
}
