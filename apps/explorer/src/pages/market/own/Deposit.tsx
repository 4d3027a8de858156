import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAttempt } from '../../../app/useAttempt.ts';
import { Button, Field, submitting, toast } from '../../../kit/index.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { readAmount } from '../../../chain/amount.ts';

interface DepositProps {
  readonly market: Market;
  readonly session: WalletSession;
}

/** From the account to its collateral. */
export function Deposit({ market, session }: DepositProps): JSX.Element {
  const [text, setText] = useState('');
  const { isBusy, problem, attempt } = useAttempt();
  const amount = readAmount(text) || null;
  const isTest = session.identity.value?.kind === 'test';
  const isAgent = session.identity.value?.kind === 'agent';
  const send = async (): Promise<void> => {
    if (amount === null) return;
    await (await session.trader()).deposit(amount);
    toast('It is collateral now.', 'good');
    setText('');
  };
  return (
    <form class="deposit" onSubmit={submitting(() => attempt(send))}>
      <Field
        label={`Collateral to add, ${market.quote}`}
        value={text}
        onInput={setText}
        inputMode="decimal"
        problem={problem ?? (text !== '' && amount === null ? 'An amount such as 1000 or 0.5.' : null)}
        hint={
          isAgent
            ? 'An agent key moves no money: leave it, and connect the wallet for this.'
            : isTest
              ? 'Comes from the balance of the account; a network with a faucet pays what it lacks.'
              : 'Comes from the balance of your account in the EVM.'
        }
      />
      <Button type="submit" tone="primary" disabled={amount === null || isBusy || isAgent}>
        {isBusy ? 'On its way…' : 'Deposit'}
      </Button>
    </form>
  );
}
