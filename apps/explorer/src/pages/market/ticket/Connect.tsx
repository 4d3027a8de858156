import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAttempt } from '../../../app/useAttempt.ts';
import { Badge, Button, Hash, Problem, Select, shortHex } from '../../../kit/index.ts';
import type { Identity } from '../../../wallet/identity.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { AgentDialog } from './AgentDialog.tsx';

/** Who trades, or how to become somebody. */
export function Connect({ session }: { readonly session: WalletSession }): JSX.Element {
  const identity = session.identity.value;
  return identity === null ? <Choices session={session} /> : <Who session={session} identity={identity} />;
}

function Choices({ session }: { readonly session: WalletSession }): JSX.Element {
  const { problem, attempt } = useAttempt();
  const wallets = session.wallets.value;
  const accounts = session.testAccounts.value;
  return (
    <div class="connect">
      {wallets.map((wallet) => (
        <button key={wallet.uuid} type="button" class="wallet" onClick={() => attempt(() => session.connect(wallet))}>
          {wallet.icon !== null && <img src={wallet.icon} alt="" width={20} height={20} />}
          <span>{wallet.name}</span>
          <span class="faint">wallet</span>
        </button>
      ))}
      {accounts.length > 0 && (
        <Select
          label="Use a test account"
          value=""
          options={[
            { value: '', text: 'Use a test account…' },
            ...accounts.map((value, index) => ({ value, text: `${index + 1}: ${shortHex(value, 6, 6)}` })),
          ]}
          onChoose={session.useTestAccount}
        />
      )}
      {wallets.length === 0 && (
        <p class="faint">
          {accounts.length > 0
            ? 'No wallet in this browser. This network takes orders of its test accounts without one.'
            : 'No wallet in this browser announces itself (EIP-6963). With one you can trade from here.'}
        </p>
      )}
      <Problem text={problem} />
    </div>
  );
}

const kinds = { test: 'test account', wallet: 'wallet', agent: 'agent key' } as const;

function Who({ session, identity }: { readonly session: WalletSession; readonly identity: Identity }): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  return (
    <div class="who">
      <Hash value={identity.address} chip copy={false} />
      <Badge tone={identity.kind === 'test' ? 'warn' : 'accent'}>{kinds[identity.kind]}</Badge>
      <span class="grow" />
      {identity.kind !== 'test' && (
        <Button size="small" tone="plain" onClick={() => setAsked(true)}>
          {identity.kind === 'wallet' ? 'One-click' : 'Key'}
        </Button>
      )}
      <Button size="small" tone="plain" onClick={() => session.leave()}>
        Leave
      </Button>
      <AgentDialog session={session} identity={identity} isOpen={isAsked} onClose={() => setAsked(false)} />
    </div>
  );
}
