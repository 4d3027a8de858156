import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useNode } from '../../app/context.ts';
import { useAttempt } from '../../app/useAttempt.ts';
import { useResource } from '../../app/useResource.ts';
import { AccountLink } from '../../chain/links.tsx';
import {
  Amount,
  Badge,
  Button,
  Card,
  type Column,
  Empty,
  Field,
  Known,
  submitting,
  TableCard,
} from '../../kit/index.ts';
import type { Resource } from '../../live/poll.ts';
import { currency } from '../../wallet/addChain.ts';
import { giveFunds, parseAmount, parseReceiver, readFunds, type TestAccount, type TestFunds } from './funds.ts';

/** Accounts and money to try the network with; only where it is there for that. */
export function Funds(): JSX.Element {
  const network = useNode().network.value;
  if (network === null || network.isTest) return <TestCards />;
  return (
    <Card title="Test funds" aside={<Badge>not here</Badge>}>
      <Empty title="This is no test network">
        What is on it belongs to somebody. Start one of your own with <code>npm start</code>: it gives accounts and
        money.
      </Empty>
    </Card>
  );
}

function TestCards(): JSX.Element {
  const funds = useResource('funds', ({ client }) => readFunds(client));
  return (
    <>
      <Card title="Get test funds" aside={<Badge tone="accent">test network</Badge>}>
        <Known what="What this node gives" of={funds}>
          <Faucet funds={funds} />
        </Known>
      </Card>
      <Accounts accounts={funds.value?.accounts ?? null} />
    </>
  );
}

function Faucet({ funds }: { readonly funds: Resource<TestFunds> }): JSX.Element {
  const { client } = useNode();
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('10');
  const { isBusy, problem, attempt } = useAttempt();
  const [done, setDone] = useState<string | null>(null);
  const give = (giving: Promise<unknown>, words: string): void =>
    attempt(async () => {
      setDone(null);
      await giving;
      setDone(words);
      funds.reload();
    });
  const [receiver, wei] = [parseReceiver(to), parseAmount(amount)];
  const wanted = typeof receiver === 'string' || typeof wei === 'string' ? null : { to: receiver.address, wei };
  const richest = funds.value?.accounts.toSorted((a, b) => (a.wei < b.wei ? 1 : -1))[0];
  const isReady = wanted !== null && !isBusy;
  return (
    <form class="stack" onSubmit={submitting(() => undefined)}>
      <Field
        label="Account"
        value={to}
        onInput={setTo}
        placeholder="0x…"
        hint="Yours, or any other one."
        problem={to === '' || typeof receiver !== 'string' ? null : receiver}
      />
      <Field
        label={`Amount, ${currency.symbol}`}
        value={amount}
        onInput={setAmount}
        inputMode="decimal"
        hint="Worth nothing: this is a test network."
        problem={typeof wei === 'string' ? wei : null}
      />
      <div class="row">
        <Button
          tone="primary"
          onClick={() =>
            wanted &&
            richest &&
            give(
              giveFunds.coins(client, richest.address, wanted.to, wanted.wei),
              'Sent: they are there with the next block.',
            )
          }
          disabled={!isReady || richest === undefined}
          title="To pay for transactions, out of an account of the node"
        >
          Send coins
        </Button>
        <Button
          onClick={() =>
            wanted && give(giveFunds.collateral(client, wanted.to, wanted.wei), 'There: the account can trade.')
          }
          disabled={!isReady || funds.value?.hasFaucet !== true}
          title="To trade with, out of the faucet"
        >
          Deposit collateral
        </Button>
      </div>
      <p class={done === null ? 'outcome muted' : 'outcome buy'} role="status">
        {problem ?? done ?? explanationOf(funds.value, richest)}
      </p>
    </form>
  );
}

function explanationOf(funds: TestFunds | null, richest: TestAccount | undefined): string {
  if (funds === null) return '';
  if (richest === undefined && !funds.hasFaucet)
    return 'This node holds no accounts and has no faucet: ask whoever runs it.';
  if (richest === undefined) return 'Coins come from accounts of a node, and this one holds none.';
  return funds.hasFaucet
    ? 'Coins pay for transactions; collateral is what orders are backed by.'
    : 'Genesis names no faucet, so collateral is deposited by the account itself.';
}

function Accounts({ accounts }: { readonly accounts: readonly TestAccount[] | null }): JSX.Element {
  const columns: readonly Column<TestAccount>[] = [
    { title: 'Account', cell: ({ address }) => <AccountLink address={address} /> },
    { title: 'Balance', align: 'right', cell: ({ wei }) => <Amount wei={wei} unit={currency.symbol} digitsMax={2} /> },
  ];
  return (
    <TableCard
      title="Test accounts"
      dense
      columns={columns}
      rows={accounts}
      keyOf={({ address }) => address}
      expected={6}
      empty={
        <Empty title="This node holds no accounts">
          A node of a network on one machine does: it signs for them, whoever asks.
        </Empty>
      }
    />
  );
}
