import { createMarketUnits } from '@prime/sdk';
import type { Address } from 'viem';
import { askNode } from '../node/rpc.ts';
import { type NetworkFile, nodesOfFile, publicNodes } from './networkFile.ts';

/** What can be typed where the network was started. */
interface BannerCommands {
  readonly demo: string | null;
  /** The program, `npx prime` for instance. */
  readonly prime: string;
  readonly status: string;
  readonly follow: string;
  readonly fresh: string;
}

/** What people are told when a network is up. */
export interface BannerInput {
  readonly network: NetworkFile;
  /** Of the accounts, wei, in their order. */
  readonly balances: readonly bigint[];
  /** Where the explorer is served; null where it is not. */
  readonly explorerUrl: string | null;
  /** First line: what all validators have reached. */
  readonly reached: string;
  /** As a person types it. */
  readonly folder: string;
  readonly commands: BannerCommands;
}

/** Wei of each account of a network. @throws CliError `CLI_UNREACHABLE` */
export const balancesOf = ({ rpcUrls, accounts }: NetworkFile): Promise<bigint[]> =>
  askNode({ url: rpcUrls[0]!, apiKey: null }, (client) =>
    Promise.all(accounts.map(({ address }) => client.getBalance({ address: address as Address }))),
  );

const ether = 10n ** 18n;
/** Wei as ether, down to 1/10 000: `9999.9998 ETH`. */
function etherText(wei: bigint): string {
  const fraction = ((wei % ether) / 10n ** 14n).toString().padStart(4, '0').replace(/0+$/, '');
  return `${wei / ether}${fraction === '' ? '' : `.${fraction}`} ETH`;
}

const pace = (ms: number): string => (ms >= 1_000 && ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`);

/** How people write prices and sizes of a market, and what the JSON-RPC counts in. */
function marketText({ id, symbol, tickSize, lotSize, baseDecimals, quoteDecimals }: NetworkFile['markets'][number]) {
  const [tick, lot] = [BigInt(tickSize), BigInt(lotSize)];
  const units = createMarketUnits({ symbol, tickSize: tick, lotSize: lot, baseDecimals, quoteDecimals });
  return `market_id ${id}, prices in steps of ${units.formatPrice(tick)}, sizes of ${units.formatSize(lot)}; over JSON-RPC ${tick} and ${lot}`;
}

/** What a person sees when the network runs: all that is needed to talk to it. */
export function bannerLines({ network, balances, explorerUrl, reached, folder, commands }: BannerInput): string[] {
  const { accounts, mnemonic, chainId, genesisHash, markets, dashboards } = network;
  const nodes = nodesOfFile(network);
  const numbered = (texts: readonly string[]): string[] =>
    texts.map((text, index) => `${`(${index})`.padStart(6)} ${text}`);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `  ${title}`, ...lines];
  const row = (name: string, text: string): string => `    ${name.padEnd(13)}${text}`;
  const first = publicNodes(network)[0]!;
  const call = (method: string, params: readonly unknown[]): string =>
    `curl -s ${first.rpc} -H 'content-type: application/json' -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}'`;
  const [account] = accounts;
  const market = markets.at(-1)?.symbol.replace('/', '-');
  const client = (words: string): string => `${commands.prime} ${words} --rpc ${first.rpc}`;
  const tries = [
    ...(commands.demo === null ? [] : [commands.demo]),
    call('eth_blockNumber', []),
    ...(account === undefined || market === undefined
      ? []
      : [
          client(`deposit 1000 --from ${account.address}`),
          client(`order place sell 0.5 ${market} @ 3012.55 --from ${account.address}`),
        ]),
    ...(market === undefined ? [] : [client(`book ${market}`)]),
    commands.status,
  ];
  return [
    '',
    `  Prime: ${reached}`,
    ...(explorerUrl === null ? [] : ['', `  Open ${explorerUrl} in a browser to watch it`]),
    ...section(
      accounts.length === 0 ? '' : 'Accounts: the nodes sign for them, and everybody knows their keys: for tests only',
      numbered(accounts.map(({ address }, index) => `${address}  ${etherText(balances[index] ?? 0n)}`)),
    ),
    ...section('Private keys', numbered(accounts.map(({ privateKey }) => privateKey))),
    ...section('Mnemonic', mnemonic === null ? [] : [`    ${mnemonic}`, "    path m/44'/60'/0'/0/N"]),
    ...section('Addresses', [
      row('', `${'JSON-RPC'.padEnd(24)}${'WebSocket'.padEnd(22)}health, status, metrics`),
      ...nodes.map(({ name, rpc, ws, admin }) => row(name, `${rpc.padEnd(24)}${ws.padEnd(22)}${admin}/status`)),
    ]),
    ...section(
      'Markets',
      markets.map((market) => row(market.symbol, marketText(market))),
    ),
    ...section('Chain', [
      row('chain id', `${chainId}`),
      row('genesis', genesisHash),
      row(
        'blocks',
        `${pace(network.blockIntervalMs)} or more apart with work, ${pace(network.emptyBlockIntervalMs)} without`,
      ),
      row('data', folder),
      ...(dashboards.prometheus === null ? [] : [row('metrics', dashboards.prometheus)]),
      row(
        'logs',
        `${folder}/${nodes.length === network.validators.length ? 'validator*' : '*'}/node.log; to watch them: ${commands.follow}`,
      ),
      row('for programs', `${folder}/network.json`),
    ]),
    ...section(
      'Try, in another shell',
      tries.map((command) => `    ${command}`),
    ),
    '',
    `  Ctrl-C stops the network and keeps its data; ${commands.fresh} begins anew`,
    '',
  ];
}
