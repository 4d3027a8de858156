import { useSignal } from '@preact/signals';
import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { Button, Field, toast } from '../../../kit/index.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { whyNot } from '../../../wallet/trader.ts';
import { readAmount } from './amount.ts';

interface DepositProps {
  readonly market: Market;
  readonly session: WalletSession;
}

/** From the account to its collateral. */
export function Deposit({ market, session }: DepositProps): JSX.Element {
  const text = useSignal('');
  const isBusy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const amount = readAmount(text.value);
  const isTest = session.identity.value?.kind === 'test';
  const isAgent = session.identity.value?.kind === 'agent';
  const send = (): void => {
    if (amount === null) return;
    isBusy.value = true;
    problem.value = null;
    session
      .trader()
      .then((trader) => trader.deposit(amount))
      .then(
        () => {
          toast('It is collateral now.', 'good');
          text.value = '';
        },
        (error: unknown) => {
          problem.value = whyNot(error);
        },
      )
      .finally(() => {
        isBusy.value = false;
      });
  };
  return (
    <form
      class="deposit"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field
        label={`Collateral to add, ${market.quote}`}
        value={text.value}
        onInput={(value) => {
          text.value = value;
        }}
        inputMode="decimal"
        problem={problem.value ?? (text.value !== '' && amount === null ? 'An amount such as 1000 or 0.5.' : null)}
        hint={
          isAgent
            ? 'An agent key moves no money: leave it, and connect the wallet for this.'
            : isTest
              ? 'Comes from the balance of the account; a network with a faucet pays what it lacks.'
              : 'Comes from the balance of your account in the EVM.'
        }
      />
      <Button type="submit" tone="primary" disabled={amount === null || isBusy.value || isAgent}>
        {isBusy.value ? 'On its way…' : 'Deposit'}
      </Button>
    </form>
  );
}
