import { Command, Help } from 'commander';
import { commandExamples } from './examples.ts';

/**
 * Commands by their first word, in the order in which help lists them. What one needs, the others do not load.
 */
export const commandGroups: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  testnet: async () => (await import('./commands/network/testnet.ts')).addTestnetCommands,
  genesis: async () => (await import('./commands/network/genesis.ts')).addGenesisCommands,
  node: async () => (await import('./commands/node/node.ts')).addNodeCommands,
  peers: async () => (await import('./commands/node/peers.ts')).addPeersCommands,
  doctor: async () => (await import('./commands/node/doctor.ts')).addDoctorCommand,
  health: async () => (await import('./commands/node/health.ts')).addHealthCommand,
  status: async () => (await import('./commands/node/status.ts')).addStatusCommand,
  why: async () => (await import('./commands/node/why.ts')).addWhyCommands,
  config: async () => (await import('./commands/node/config.ts')).addConfigCommands,
  apikey: async () => (await import('./commands/keys/apiKey.ts')).addApiKeyCommands,
  key: async () => (await import('./commands/keys/key.ts')).addKeyCommands,
  db: async () => (await import('./commands/data/db.ts')).addDbCommands,
  wal: async () => (await import('./commands/data/wal.ts')).addWalCommands,
  watermark: async () => (await import('./commands/keys/watermark.ts')).addWatermarkCommands,
  snapshot: async () => (await import('./commands/data/snapshot.ts')).addSnapshotCommands,
  backup: async () => (await import('./commands/data/backup.ts')).addBackupCommands,
  drill: async () => (await import('./commands/network/drill.ts')).addDrillCommands,
  signer: async () => (await import('./commands/keys/signer.ts')).addSignerCommands,
  'verify-cert': async () => (await import('./commands/validators/verifyCert.ts')).addVerifyCertCommand,
  explorer: async () => (await import('./commands/tools/explorer.ts')).addExplorerCommand,
  load: async () => (await import('./commands/tools/load.ts')).addLoadCommands,
  validator: async () => (await import('./commands/validators/validator.ts')).addValidatorCommands,
  account: async () => (await import('./commands/market/client.ts')).addAccountCommands,
  market: async () => (await import('./commands/market/client.ts')).addMarketCommands,
  book: async () => (await import('./commands/market/client.ts')).addBookCommand,
  candles: async () => (await import('./commands/market/client.ts')).addCandlesCommand,
  order: async () => (await import('./commands/market/client.ts')).addOrderCommands,
  trigger: async () => (await import('./commands/market/client.ts')).addTriggerCommands,
  deposit: async () => (await import('./commands/market/client.ts')).addDepositCommand,
  withdraw: async () => (await import('./commands/market/client.ts')).addWithdrawCommand,
  transfer: async () => (await import('./commands/market/client.ts')).addTransferCommand,
  agent: async () => (await import('./commands/market/client.ts')).addAgentCommands,
  'sub-account': async () => (await import('./commands/market/client.ts')).addSubAccountCommands,
  gov: async () => (await import('./commands/market/client.ts')).addGovernanceCommands,
  rpc: async () => (await import('./commands/tools/rpc.ts')).addRpcCommand,
  completion: async () => (await import('./commands/tools/completion.ts')).addCompletionCommand,
  bot: async () => (await import('./commands/tools/bot.ts')).addBotCommands,
  streams: async () => (await import('./commands/tools/streams.ts')).addStreamsCommands,
  oracle: async () => (await import('./commands/tools/oracle.ts')).addOracleCommands,
  export: async () => (await import('./commands/network/export.ts')).addExportCommand,
};

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
  else if (!asksVersion.has(group))
    for (const name of Object.hasOwn(commandGroups, group) && !ofAll.has(group)
      ? [group]
      : Object.keys(commandGroups)) {
      const addTo = await commandGroups[name]!();
      addTo(program);
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
