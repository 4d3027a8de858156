import type { Command } from 'commander';
import { adminClient, type ConsensusStatus } from '../../node/adminClient.ts';
import { usageError } from '../../errors.ts';
import { askNode, rpcNode } from '../../node/rpc.ts';
import { addNodeHomeCommands } from './nodeHome.ts';
import { addNodeInsideCommands } from './nodeInside.ts';
import { addNodeResetCommand } from './nodeReset.ts';
import { addNodeStartCommand } from './nodeStart.ts';

interface StatusOptions {
  readonly home?: string;
  readonly rpc?: string;
  readonly json?: boolean;
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
    .action(async ({ home, rpc, json = false }: StatusOptions) => {
      if ((home === undefined) === (rpc === undefined))
        throw usageError('one of --home <dir> and --rpc <url> is needed', '--home');
      await (rpc === undefined ? showStatus(home!, json) : showRemoteStatus(rpc, json));
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

async function showStatus(home: string, asJson: boolean): Promise<void> {
  const status = await (await adminClient(home)).read('/status');
  if (asJson) return console.log(JSON.stringify(status, null, 2));
  const { consensus, stateSync } = status as {
    readonly consensus: ConsensusStatus | null;
    readonly stateSync?: StateSync;
  };
  if (consensus === null) return console.log(stateSyncLine(stateSync ?? null));
  console.log(`validator  ${consensus.self ?? 'none'}${consensus.active ? ' (active)' : ''}`);
  if (consensus.signer !== null) console.log(`signer     ${signerWords(consensus.signer)}`);
  if (consensus.signing !== null) console.log(`signing    ${signingWords(consensus.signing, consensus.signer)}`);
  console.log(`head       ${consensus.head}`);
  const round = consensus.round < 0 ? 'not begun' : `round ${consensus.round}`;
  console.log(`deciding   height ${consensus.height}, ${round}`);
  console.log(`syncing    ${consensus.syncing === null ? 'no' : JSON.stringify(consensus.syncing)}`);
  console.log(`protocol   ${upgradeLine(consensus.upgrade)}`);
  console.log(`peers      ${consensus.peers.length}`);
  for (const { address, role } of consensus.peers) console.log(`           ${address} ${role}`);
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

async function showRemoteStatus(url: string, asJson: boolean): Promise<void> {
  const node = await rpcNode(url, {});
  const names = Object.values(remoteMethods);
  const answers = await askNode(node, (client) =>
    Promise.all(names.map(async (method) => [method, await client.request({ method })] as const)),
  );
  const results = new Map<string, unknown>(answers);
  if (asJson) return console.log(JSON.stringify(Object.fromEntries(results), null, 2));
  const of = (name: keyof typeof remoteMethods): unknown => results.get(remoteMethods[name]);
  console.log(`client     ${String(of('client'))}`);
  console.log(`chain      ${Number(of('chain'))}`);
  console.log(`head       ${Number(of('head'))}`);
  console.log(`syncing    ${of('syncing') === false ? 'no' : JSON.stringify(of('syncing'))}`);
  console.log(`peers      ${Number(of('peers'))}`);
}
