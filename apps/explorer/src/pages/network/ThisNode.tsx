import type { ComponentChildren, JSX } from 'preact';
import { useHref, useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import {
  Badge,
  Card,
  formatDuration,
  formatMoment,
  Hash,
  type KeyEntry,
  KeyValue,
  Known,
  orPlace,
} from '../../kit/index.ts';
import type { RpcClient } from '../../node/rpcClient.ts';

interface Facts {
  readonly version: string;
  readonly genesisHash: string;
  readonly peers: number;
  readonly isSyncing: boolean;
}

async function readFacts(client: RpcClient): Promise<Facts> {
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> => client.request({ method, params });
  const [version, genesis, peers, syncing] = await Promise.all([
    ask('web3_clientVersion'),
    ask('eth_getBlockByNumber', '0x0', false),
    ask('net_peerCount'),
    ask('eth_syncing'),
  ]);
  const { hash } = genesis as { readonly hash: string };
  return { version: String(version), genesisHash: hash, peers: Number(peers), isSyncing: syncing !== false };
}

/** Makes rows of something that may be known only later. */
const entriesOf =
  <T,>(known: T | null) =>
  (name: string, show: (known: T) => ComponentChildren): KeyEntry => ({ name, value: orPlace(known, '18ch', show) });

/** The node that the page reads, and the chain that it follows. */
export function ThisNode(): JSX.Element {
  const href = useHref();
  const node = useNode();
  const facts = useResource('node', ({ client }) => readFacts(client));
  const ofNode = entriesOf(facts.value);
  const ofNetwork = entriesOf(node.network.value);
  const entries: readonly KeyEntry[] = [
    { name: 'Address', value: <span class="mono">{node.url}</span> },
    ofNode('Program', ({ version }) => <span class="mono">{version}</span>),
    ofNode('State', ({ isSyncing }) => (
      <Badge tone={isSyncing ? 'warn' : 'good'}>{isSyncing ? 'catching up' : 'at the head'}</Badge>
    )),
    ofNode('Peers', ({ peers }) => <span class="number">{peers}</span>),
    ofNetwork('Network', ({ name }) => name),
    ofNetwork('Chain id', ({ chainId }) => <span class="number">{chainId}</span>),
    ofNode('Genesis', ({ genesisHash }) => <Hash value={genesisHash} href={href({ page: 'block', block: '0' })} />),
    ofNetwork('Began', ({ startedMs }) => <span class="number">{formatMoment(startedMs)}</span>),
    ofNetwork('Idle pace', ({ emptyBlockIntervalMs }) => `a block every ${formatDuration(emptyBlockIntervalMs)}`),
    ofNetwork('Actions', ({ hasOpenActions }) =>
      hasOpenActions ? 'may come without a signature' : 'have to be signed',
    ),
  ];
  return (
    <Card title="This node" flush>
      <Known what="This node" of={facts}>
        <KeyValue entries={entries} />
      </Known>
    </Card>
  );
}
