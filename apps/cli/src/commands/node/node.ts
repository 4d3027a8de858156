import type { Command } from 'commander';
import { adminClient, type ConsensusStatus } from '../../node/adminClient.ts';
import { usageError } from '../../errors.ts';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { pairs } from '../../terminal/table.ts';
import { askNode, rpcNode } from '../../node/rpc.ts';
import { addNodeHomeCommands } from './nodeHome.ts';
import { addNodeInsideCommands } from './nodeInside.ts';
import { addNodeResetCommand } from './nodeReset.ts';
import { addNodeStartCommand } from './nodeStart.ts';

interface StatusOptions extends JsonFlags {
  readonly home?: string;
  readonly rpc?: string;
}

/** `prime node init | provision | show | start | reset | status`. */
export function addNodeCommands(program: Command): void {
  const node = program.command('node').description('One node: make its home, start it, ask it how it is');
  addNodeHomeCommands(node);
  addNodeInsideCommands(node);
  addNodeStartCommand(node);
  addNodeResetCommand(node);
  node
    .command('status')
    .description('Height, peers and sync state of a running node, from its admin endpoint or its JSON-RPC')
    .option('--home <dir>', 'home folder of a node on this machine')
    .option('--rpc <url>', 'JSON-RPC of any node')
    .option('--json', 'the whole answer as JSON')
    .action(async ({ home, rpc, ...flags }: StatusOptions) => {
      if ((home === undefined) === (rpc === undefined))
        throw usageError('one of --home <dir> and --rpc <url> is needed', '--home');
      await (rpc === undefined ? showStatus(home!, flags) : showRemoteStatus(rpc, flags));
    });
}

/** Of a node that fetches its state, and does nothing else meanwhile. */
interface StateSync {
  readonly trustedHeight: number;
  readonly peers: number;
  readonly snapshot: { readonly height: number; readonly chunks: number; readonly received: number } | null;
}

function stateSyncLine(sync: StateSync | null): string {
  if (sync === null) return 'starting   nothing is known yet';
  const { trustedHeight, peers, snapshot } = sync;
  const found =
    snapshot === null
      ? 'no snapshot yet'
      : `snapshot of height ${snapshot.height}, ${snapshot.received} of ${snapshot.chunks} chunks`;
  return `state sync from block ${trustedHeight}: ${found}; ${peers} ${peers === 1 ? 'peer' : 'peers'}`;
}

/** For instance: version 1, version 2 from block 100000 (30000 of 40000 voting power ready). */
function upgradeLine({ version, known, next }: ConsensusStatus['upgrade']): string {
  const now = `version ${version}`;
  if (next === null) return now;
  const own = next.known ? '' : `; THIS PROGRAM KNOWS VERSIONS UP TO ${known}`;
  return `${now}, version ${next.version} from block ${next.height} (${next.readyPower} of ${next.totalPower} voting power ready${own})`;
}

/** What the admin endpoint answers. */
interface NodeStatus {
  readonly consensus: ConsensusStatus | null;
  readonly stateSync?: StateSync;
}

async function showStatus(home: string, flags: JsonFlags): Promise<void> {
  const status = await (await adminClient(home)).read<NodeStatus>('/status');
  const { consensus, stateSync = null } = status;
  print(flags, status, () => (consensus === null ? [stateSyncLine(stateSync)] : consensusLines(consensus)));
}

function consensusLines(consensus: ConsensusStatus): string[] {
  const { self, active, signer, signing, head, height, round, syncing, upgrade, peers } = consensus;
  return [
    ...pairs([
      ['validator', `${self ?? 'none'}${active ? ' (active)' : ''}`],
      ...(signer === null ? [] : [['signer', signerWords(signer)] as const]),
      ...(signing === null ? [] : [['signing', signingWords(signing, signer)] as const]),
      ['head', `${head}`],
      ['deciding', `height ${height}, ${round < 0 ? 'not begun' : `round ${round}`}`],
      ['syncing', syncing === null ? 'no' : JSON.stringify(syncing)],
      ['protocol', upgradeLine(upgrade)],
      ['peers', `${peers.length}`],
    ]),
    ...peers.map(({ address, role }) => `           ${address} ${role}`),
  ];
}

function signerWords({ address, connected, waiting, lastError }: NonNullable<ConsensusStatus['signer']>): string {
  return connected ? `${address}, connected` : `${address} IS AWAY (${lastError}); ${waiting} messages wait`;
}

function signingWords(
  { phase, from }: NonNullable<ConsensusStatus['signing']>,
  signer: ConsensusStatus['signer'],
): string {
  if (signer !== null && !signer.connected) return 'no: its signer is away';
  if (phase === 'open') return 'yes';
  return phase === 'hearing'
    ? 'not yet: waiting for peers to say where they stand'
    : `not yet: watching whether its key is in use elsewhere, until height ${from}`;
}

/** What a node tells everybody; `--json` prints it as the methods answer. */
const remoteMethods = {
  client: 'web3_clientVersion',
  chain: 'eth_chainId',
  head: 'eth_blockNumber',
  syncing: 'eth_syncing',
  peers: 'net_peerCount',
} as const;

async function showRemoteStatus(url: string, flags: JsonFlags): Promise<void> {
  const node = await rpcNode(url, {});
  const names = Object.values(remoteMethods);
  const answers = await askNode(node, (client) =>
    Promise.all(names.map(async (method) => [method, await client.request({ method })] as const)),
  );
  const results = new Map<string, unknown>(answers);
  const of = (name: keyof typeof remoteMethods): unknown => results.get(remoteMethods[name]);
  print(flags, Object.fromEntries(results), () => [
    `client     ${String(of('client'))}`,
    `chain      ${Number(of('chain'))}`,
    `head       ${Number(of('head'))}`,
    `syncing    ${of('syncing') === false ? 'no' : JSON.stringify(of('syncing'))}`,
    `peers      ${Number(of('peers'))}`,
  ]);
}
