import './address.css';
import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useHeld, useHref, useNode } from '../../app/context.ts';
import { usePoll } from '../../app/useResource.ts';
import {
  Amount,
  Badge,
  Card,
  Empty,
  formatInteger,
  Hash,
  Known,
  ofKnown,
  PageHead,
  shortHex,
  Stat,
  Stats,
} from '../../kit/index.ts';
import type { PageProps } from '../props.ts';
import { History } from './History.tsx';
import { Holdings } from './Holdings.tsx';
import { Margin } from './Margin.tsx';
import { Proof } from './Proof.tsx';
import { readAccount, type ReadAccount } from './readAccount.ts';
import { Transactions } from './Transactions.tsx';

/** Marks change equity without an event of the account. */
const everyMs = 1_500;

/** One account: what it has in both domains, what it risks, and what it did. */
export function Page({ route: { address } }: PageProps<'address'>): JSX.Element {
  const node = useNode();
  useHeld(node.markets, node.validators);
  const account = usePoll(address, ({ client }) => readAccount(client, address), everyMs);
  const read = account.value;
  return (
    <div class="stack">
      <PageHead title={`Account ${shortHex(address)}`} kind={kindOf(read)} shown={<Hash value={address} chip whole />}>
        <Marks read={read} address={address} />
      </PageHead>
      <Known what="This account" of={account} inCard>
        <Parts read={read} address={address} />
      </Known>
      {/* Beside what was read, since what is typed there has to outlast an answer that did not come. */}
      {!isHidden(read) && <Proof address={address} />}
    </div>
  );
}

/** Whether the node has an answer, and keeps what concerns the exchange to itself. */
const isHidden = (read: ReadAccount | null): boolean => read !== null && read.exchange === null;
const kindOf = (read: ReadAccount | null): string => ((read?.codeBytes ?? 0) > 0 ? 'Contract' : 'Account');

function Marks({ read, address }: { readonly read: ReadAccount | null; readonly address: `0x${string}` }): JSX.Element {
  const href = useHref();
  const validator = (useNode().validators.value.value ?? []).find((one) => one.address === address);
  return (
    <>
      {validator !== undefined && (
        <a href={href({ page: 'validator', address })}>
          <Badge tone="accent">validator {validator.moniker}</Badge>
        </a>
      )}
      {read?.exchange?.account.locked === true && (
        <Badge title="Actions of the exchange count only when they are signed">signed actions only</Badge>
      )}
    </>
  );
}

function Parts({ read, address }: { readonly read: ReadAccount | null; readonly address: `0x${string}` }): JSX.Element {
  const exchange = read?.exchange ?? null;
  return (
    <>
      <Balances read={read} />
      {isHidden(read) ? (
        <Card>
          <Empty title="This node does not tell about accounts of the exchange">
            After the privacy fork it answers that only to who runs it.
          </Empty>
        </Card>
      ) : (
        <>
          <div class="columns">
            <Holdings exchange={exchange} />
            {exchange === null ? <Card title="Margin" /> : <Margin account={exchange.account} />}
          </div>
          <Transactions address={address} />
          <History address={address} />
        </>
      )}
    </>
  );
}

function Balances({ read }: { readonly read: ReadAccount | null }): JSX.Element {
  const account = read?.exchange?.account ?? null;
  const unrealized = account === null ? 0n : account.equity - account.collateral;
  const amount = (wei: bigint | undefined) => ofKnown(wei, (known) => <Amount wei={known} digitsMax={4} />);
  return (
    <Stats>
      <Stat label="In the EVM" value={amount(read?.balance)} note={coin} />
      <Stat label="Collateral on the exchange" value={amount(account?.collateral)} note={coin} />
      <Stat
        label="Equity"
        value={amount(account?.equity)}
        note={
          account === null || unrealized === 0n ? (
            'collateral and unrealized profit'
          ) : (
            <>
              <Amount wei={unrealized} signed /> unrealized
            </>
          )
        }
      />
      <Stat
        label="Positions"
        value={ofKnown(account, ({ positions }) => formatInteger(positions.length))}
        note={ofKnown(account, ({ openOrders }) => `${formatInteger(openOrders)} open orders`)}
      />
      <Stat
        label="EVM transactions"
        value={ofKnown(read, ({ nonce }) => formatInteger(nonce))}
        note={ofKnown(read, ({ codeBytes }) =>
          codeBytes > 0 ? `contract of ${formatInteger(codeBytes)} bytes` : 'sent by it; it has no code',
        )}
      />
    </Stats>
  );
}
