import './transaction.css';
import { useSignalEffect } from '@preact/signals';
import { explainWaiting, unknownTransactionText } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useHeld, useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import { Badge, Card, clock, Empty, Hash, Known, PageHead, shortHex, Skeleton } from '../../kit/index.ts';
import type { PageProps } from '../props.ts';
import { Contents } from './Contents.tsx';
import { EvmOverview } from './EvmOverview.tsx';
import { NativeOverview } from './NativeOverview.tsx';
import { Outcome } from './Outcome.tsx';
import { isNative, readTransaction, type ReadTransaction, type WireTransaction } from './readTransaction.ts';

/** One transaction, of the EVM or of the exchange: what became of it, and what it did. */
export function Page({ route: { hash } }: PageProps<'transaction'>): JSX.Element {
  const node = useNode();
  useHeld(node.markets);
  const found = useResource(hash, ({ client }) => readTransaction(client, hash));
  // What is not final is looked for again, and what the order book did for a contract comes a block later.
  useSignalEffect(() => {
    // Both are read whatever was found, so that each of their changes comes here.
    const isTime = clock.value > 0 && node.connection.value.kind === 'live';
    const read = found.value;
    if (isTime && read !== null && !(read.stage === 'final' && read.isSettled)) found.reload();
  });
  const read = found.value;
  return (
    <div class="stack">
      <PageHead title={`Transaction ${shortHex(hash)}`} kind={kindOf(read)} shown={<Hash value={hash} />}>
        {read !== null && <StageBadge read={read} />}
      </PageHead>
      <Known what="This transaction" of={found} inCard>
        {read === null ? <Loading /> : read.stage === 'unknown' ? <Unknown /> : <Parts read={read} />}
      </Known>
    </div>
  );
}

const kindOf = (read: ReadTransaction | null): string => {
  if (read === null || read.stage === 'unknown') return 'Transaction';
  return isNative(read.transaction) ? 'Exchange action' : 'EVM transaction';
};

function StageBadge({ read }: { readonly read: ReadTransaction }): JSX.Element {
  if (read.stage === 'unknown') return <Badge>unknown</Badge>;
  if (read.stage === 'pending') return <Badge tone="warn">pending</Badge>;
  if (BigInt(read.receipt.status) === 1n) return <Badge tone="good">final</Badge>;
  return <Badge tone="bad">{isNative(read.transaction) ? 'refused' : 'reverted'}</Badge>;
}

const Loading = (): JSX.Element => (
  <div class="columns">
    <Card title="Overview">
      <Skeleton width="60%" />
    </Card>
    <Card title="Outcome">
      <Skeleton width="40%" />
    </Card>
  </div>
);

function Parts({ read }: { readonly read: Exclude<ReadTransaction, { stage: 'unknown' }> }): JSX.Element {
  const { transaction } = read;
  const final = read.stage === 'final' ? read : null;
  return (
    <>
      {read.stage === 'pending' && <Waiting transaction={transaction} before={read.before} />}
      <div class="columns">
        {isNative(transaction) ? (
          <NativeOverview transaction={transaction} final={final} />
        ) : (
          <EvmOverview transaction={transaction} final={final} />
        )}
        <Outcome transaction={transaction} final={final} />
      </div>
      <Contents transaction={transaction} final={final} />
    </>
  );
}

interface WaitingProps {
  readonly transaction: WireTransaction;
  readonly before: bigint | null;
}

function Waiting({ transaction, before }: WaitingProps): JSX.Element {
  const nonce = BigInt(transaction.nonce);
  return (
    <section class="card waiting" role="status">
      <strong>It waits for a block</strong>
      <p class="muted">
        {explainWaiting({
          nonce,
          nextNonce: before === null ? null : nonce - before,
          maxFeePerGas: BigInt(transaction.maxFeePerGas ?? transaction.gasPrice),
          baseFee: null,
        })}{' '}
        The page shows when that happens.
      </p>
    </section>
  );
}

const Unknown = (): JSX.Element => (
  <Card>
    <Empty title="The node knows no transaction with this hash">
      {unknownTransactionText} This page looks again every second and shows it when it comes.
    </Empty>
  </Card>
);
