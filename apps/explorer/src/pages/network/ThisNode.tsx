import type { JSX } from 'preact';
import { useHref, useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import {
  Badge,
  Card,
  ErrorState,
  formatDuration,
  formatMoment,
  Hash,
  type KeyEntry,
  KeyValue,
  Skeleton,
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

/** The node that the page reads, and the chain that it follows. */
export function ThisNode(): JSX.Element {
  const href = useHref();
  const node = useNode();
  const facts = useResource('node', ({ client }) => readFacts(client));
  const network = node.network.value;
  const { value } = facts;
  const waiting = <Skeleton width="18ch" />;
  const entries: readonly KeyEntry[] = [
    { name: 'Address', value: <span class="mono">{node.url}</span> },
    { name: 'Program', value: value === null ? waiting : <span class="mono">{value.version}</span> },
    {
      name: 'State',
      value:
        value === null ? (
          waiting
        ) : (
          <Badge tone={value.isSyncing ? 'warn' : 'good'}>{value.isSyncing ? 'catching up' : 'at the head'}</Badge>
        ),
    },
    { name: 'Peers', value: value === null ? waiting : <span class="number">{value.peers}</span> },
    { name: 'Network', value: network === null ? waiting : network.name },
    { name: 'Chain id', value: network === null ? waiting : <span class="number">{network.chainId}</span> },
    {
      name: 'Genesis',
      value: value === null ? waiting : <Hash value={value.genesisHash} href={href({ page: 'block', block: '0' })} />,
    },
    {
      name: 'Began',
      value: network === null ? waiting : <span class="number">{formatMoment(network.startedMs)}</span>,
    },
    {
      name: 'Idle pace',
      value: network === null ? waiting : `a block every ${formatDuration(network.emptyBlockIntervalMs)}`,
    },
    {
      name: 'Actions',
      value: network === null ? waiting : network.hasOpenActions ? 'may come without a signature' : 'have to be signed',
    },
  ];
  return (
    <Card title="This node" flush>
      {facts.error !== null && value === null ? (
        <ErrorState what="This node" error={facts.error} onRetry={facts.reload} />
      ) : (
        <KeyValue entries={entries} />
      )}
    </Card>
  );
}
