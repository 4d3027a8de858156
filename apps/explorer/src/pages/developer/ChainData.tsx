import { ordersAddress } from '@prime/codec';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useNode } from '../../app/context.ts';
import { Button, Card, CopyButton, Empty, KeyCard, type KeyEntry, orPlace } from '../../kit/index.ts';
import { addChain, type ChainFacts, currency } from '../../wallet/addChain.ts';
import { type AnnouncedWallet, walletsAround } from '../../wallet/providers.ts';

const webSocketOf = (url: string): string => url.replace(/^http/, 'ws');

interface CopiedProps {
  readonly value: string;
  readonly children?: ComponentChildren;
}

const Copied = ({ value, children }: CopiedProps): JSX.Element => (
  <span class="copied">
    <span class="mono">{children ?? value}</span>
    <CopyButton value={value} />
  </span>
);

/** What a program or a wallet has to know of the network. */
export function ChainData(): JSX.Element {
  const node = useNode();
  const network = node.network.value;
  const entries: readonly KeyEntry[] = [
    { name: 'Network', value: orPlace(network, '18ch', ({ name }) => <Copied value={name} />) },
    {
      name: 'Chain id',
      value: orPlace(network, '18ch', ({ chainId }) => (
        <>
          <Copied value={String(chainId)} /> <span class="faint mono">0x{chainId.toString(16)}</span>
        </>
      )),
    },
    { name: 'JSON-RPC', value: <Copied value={node.url} /> },
    { name: 'WebSocket', value: <Copied value={webSocketOf(node.url)} /> },
    { name: 'Currency', value: `${currency.symbol}, ${currency.decimals} decimals` },
    { name: 'Order book', value: <Copied value={ordersAddress} /> },
  ];
  return <KeyCard title="The chain" entries={entries} />;
}

/** The wallets of this browser, each with a button that gives it the network. */
export function AddToWallet(): JSX.Element {
  const node = useNode();
  const network = node.network.value;
  const wallets = walletsAround().value;
  const chain = network && {
    chainId: network.chainId,
    name: network.name,
    rpcUrl: node.url,
    explorerUrl: location.origin,
  };
  return (
    <Card title="Add to wallet" flush>
      {wallets.length === 0 ? (
        <Empty title="No wallet in this browser">
          One that follows EIP-6963 appears here as soon as it is there. Others take the data of the chain by hand.
        </Empty>
      ) : (
        <ul class="wallets">
          {wallets.map((wallet) => (
            <Wallet key={wallet.uuid} wallet={wallet} chain={chain} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface WalletProps {
  readonly wallet: AnnouncedWallet;
  readonly chain: ChainFacts | null;
}

function Wallet({ wallet, chain }: WalletProps): JSX.Element {
  const [outcome, setOutcome] = useState<{ readonly isDone: boolean; readonly words: string } | 'asking' | null>(null);
  const add = (): void => {
    if (chain === null) return;
    setOutcome('asking');
    // It never rejects: what a wallet throws is an outcome.
    void addChain(wallet, chain).then(setOutcome);
  };
  return (
    <li>
      {wallet.icon === null ? (
        <span class="wallet-icon" aria-hidden="true" />
      ) : (
        <img class="wallet-icon" src={wallet.icon} alt="" />
      )}
      <span class="wallet-name">{wallet.name}</span>
      <Button size="small" tone="primary" onClick={add} disabled={chain === null || outcome === 'asking'}>
        Add network
      </Button>
      <span
        class={outcome !== null && outcome !== 'asking' && outcome.isDone ? 'outcome buy' : 'outcome muted'}
        role="status"
      >
        {outcome === null ? '' : outcome === 'asking' ? 'Look at the wallet: it asks you.' : outcome.words}
      </span>
    </li>
  );
}
