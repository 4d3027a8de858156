import type { Command } from 'commander';
import { withPassword } from '../../keys/passwordFlags.ts';
import { withApiKey } from '../../node/rpc.ts';

/** `prime oracle`: prices from outside, for the validators of a network with `clob.oracle`. */
export function addOracleCommands(program: Command): void {
  const oracle = program.command('oracle').description('Report prices from outside for a validator');
  withPassword(withApiKey(oracle.command('feed')), 'owner')
    .description('Read prices from HTTP, files, programs or a simulation, and report them until a signal comes')
    .option('--config <file>', 'TOML or JSON: markets and their sources (default with --network: its feeder.toml)')
    .requiredOption('--rpc <urls>', 'nodes to send reports to, between commas: the first that answers gets them')
    .option('--home <dir>', 'home folder of the validator: its genesis, and its signer unless --key is given')
    .option('--network <dir>', 'in place of --home: folder of a test network, for all of its validators')
    .option('--key <file>', 'keystore of the oracle key, which the owner set with prime validator set-oracle-key')
    .option('--validator <address>', 'owner of the validator (default: the one that the signer signs for)')
    .option('--log-format <format>', 'json or pretty', 'pretty')
    .option('--log-level <level>', 'error, warn, info or debug', 'info')
    .action(async (flags) => (await import('../../oracle/feed.ts')).feed(flags));
}
