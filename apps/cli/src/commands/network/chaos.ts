import type { Command } from 'commander';

/** `prime testnet chaos`. */
export function addChaosCommand(testnet: Command): void {
  testnet
    .command('chaos')
    .description(
      'Run a network through faults, and say whether it kept its promises: exits with 0, or 1 and what was broken',
    )
    .option('--manifest <file>', 'what is to happen, as an earlier run or --dry-run wrote it')
    .option('--random', 'faults drawn from a seed')
    .option('--seed <n>', 'with --random: the same seed gives the same schedule (default: drawn and printed)')
    .option('--validators <n>', 'with --random: number of validators, 4 to 32', '4')
    .option('--followers <n>', 'with --random: nodes that join, follow and begin with snapshots, 0 to 5', '2')
    .option('--minutes <n>', 'with --random: how long phases go on', '5')
    .option('--patience <n>', 'with --random: all deadlines times n, for machines that are busy', '1')
    .option(
      '--block-interval <ms>',
      'with --random: least time between two blocks, 0 to 1000 (default: 50; 250 with more than 6 nodes)',
    )
    .option('--out <dir>', 'folder for homes, logs and the report', '.prime/chaos')
    .option('--base-port <port>', 'first port: ten per validator, then one per ordered pair (default: what is free)')
    .option('--dry-run', 'print the manifest and run nothing')
    .option('--schema', 'print the JSON Schema of manifests')
    // Loaded by who uses it only: what it stands on would delay the start of every node.
    .action(async (flags) => (await import('../../chaos/command.ts')).chaos(flags));
}
