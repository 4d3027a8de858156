import type { Command } from 'commander';
import { parseListenAddress } from '@prime/config';
import { usageError } from '../../errors.ts';
import { explorerPort } from '../../testnet/manifest/places.ts';
import { networkHere } from '../../testnet/networkFile.ts';

interface ExplorerFlags {
  readonly rpc?: string;
  readonly anyNode?: boolean;
  readonly listen: string;
  readonly site?: string;
  readonly json?: boolean;
}

/** `prime explorer`. */
export function addExplorerCommand(program: Command): void {
  program
    .command('explorer')
    .description('Serve the pages that show a network, its markets and its validators in a browser')
    .option(
      '--rpc <url>',
      'node that the pages ask, or several of one network between commas (default: that of prime testnet up in this folder)',
    )
    .option('--any-node', 'let the pages ask any other node, too, that their address names: ?rpc=URL')
    .option('--listen <host:port>', 'where the pages are', `127.0.0.1:${explorerPort}`)
    .option('--site <dir>', 'pages to serve (default: those that were built with this program)')
    .option('--json', 'for programs: one line of JSON when it serves')
    .action(async ({ rpc, anyNode, listen, site, json }: ExplorerFlags) => {
      const address = parseListenAddress(listen);
      if (address === null)
        throw usageError(`--listen must be host:port with a port of 0 to 65535, got ${listen}`, '--listen');
      const { runExplorer } = await import('../../explorer/run.ts');
      await runExplorer({
        rpc: rpc ?? networkHere().rpcUrls.join(','),
        anyNode: anyNode === true,
        listen: address,
        site: site ?? null,
        json: json === true,
      });
      process.exit();
    });
}
