import type { Command } from 'commander';
import { defaultNetworkFolder } from '../../testnet/networkFile.ts';

/** `prime bot`: a market maker and a taker that are ready to run, and what is needed to try them out first. */
export function addBotCommands(program: Command): void {
  const bot = program
    .command('bot')
    .description('Trade by a strategy: quote a market, make flow, test on recorded flow');
  withRun(bot.command('maker'))
    .description('Quote both sides of a market')
    .action(async (flags) => (await import('../../bot/run.ts')).run('maker', flags));
  withRun(bot.command('taker'))
    .description('Trade against who quotes a market, now and then')
    .action(async (flags) => (await import('../../bot/run.ts')).run('taker', flags));
  withStrategy(bot.command('backtest'))
    .description('Run a strategy through a recorded flow, and tell what it would have made')
    .argument('<flow>', 'what prime load record or convert wrote')
    .option('--kind <kind>', 'maker or taker, where no strategy file says it', 'maker')
    .option('--latency <ms>', 'between a decision and the first block that can have it', '100')
    .option('--base-decimals <n>', "of the market's base, which a flow does not tell", '0')
    .option('--quote-decimals <n>', "of the market's quote", '18')
    .option('--json', 'print JSON')
    .action(async (flow: string, flags) => (await import('../../bot/backtest.ts')).backtest(flow, flags));
  bot
    .command('loss')
    .description('Show from what the loss limit of a bot counts, or reset it')
    .argument('<file>', 'what --state named; <name>.loss.json in .prime/testnet/bots on the network of this folder')
    .option('--reset', 'set the file aside: the next start counts anew, also behind a limit that was passed')
    .action(async (file: string, flags) => (await import('../../bot/stateFile.ts')).loss(file, flags));
  bot
    .command('schema')
    .description('Print the JSON Schema of strategy files')
    .argument('<kind>', 'maker or taker')
    .action(async (kind: string) => (await import('../../bot/backtest.ts')).schema(kind));
  bot
    .command('local')
    .description(
      'Run a maker and a taker in each market of the network of prime testnet up, with keys and collateral of their own',
    )
    .option('--dir <dir>', 'folder of the network', defaultNetworkFolder)
    .option('--markets <symbol,…>', 'markets to trade in (default: all)')
    .option('--log-level <level>', 'error, warn, info or debug', 'warn')
    .action(async (flags) => (await import('../../bot/local.ts')).local(flags));
}

const withStrategy = (command: Command): Command =>
  command
    .option('--strategy <file>', 'strategy file, TOML or JSON (default: what prime bot schema tells as defaults)')
    .option('--market <market>', 'symbol or id, in place of what the file says')
    .option('--start-price <price>', 'fair price before anybody quotes or trades, quote for one base');

const withRun = (command: Command): Command =>
  withStrategy(command)
    .option('--name <name>', 'the orders of a bot are known by it, in place of what the file says')
    .option('--rpc <url,…>', 'nodes of one network (default: that of prime testnet up in this folder)')
    .option(
      '--key-file <file>',
      'private key that signs, 0x and 64 hex digits (else PRIME_PRIVATE_KEY; else, on the network of this folder, a key of its own)',
    )
    .option('--owner <address>', 'account for which the key signs as its agent')
    .option(
      '--fund <amount>',
      'collateral that the account has at least, in quote: from its own wei, a faucet or unlocked accounts',
    )
    .option(
      '--state <file>',
      'where the loss is kept for limits.loss, over restarts (default, on the network of this folder: beside the key)',
    )
    .option('--paper', 'send nothing: orders are filled on paper by the flow that comes')
    .option('--metrics <host:port>', 'serve /metrics for Prometheus')
    .option('--log-format <format>', 'json or pretty', 'pretty')
    .option('--log-level <level>', 'error, warn, info or debug', 'info');
