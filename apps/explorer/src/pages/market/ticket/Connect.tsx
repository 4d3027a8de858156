import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Badge, Button, Hash, shortHex, Problem } from '../../../kit/index.ts';
import type { Identity } from '../../../wallet/identity.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { whyNot } from '../../../wallet/trader.ts';
import { AgentDialog } from './AgentDialog.tsx';

/** Who trades, or how to become somebody. */
export function Connect({ session }: { readonly session: WalletSession }): JSX.Element {
  const identity = session.identity.value;
  return identity === null ? <Choices session={session} /> : <Who session={session} identity={identity} />;
}

function Choices({ session }: { readonly session: WalletSession }): JSX.Element {
  const problem = useSignal<string | null>(null);
  const wallets = session.wallets.value;
  const accounts = session.testAccounts.value;
  const connect = (wallet: (typeof wallets)[number]): void => {
    problem.value = null;
    session.connect(wallet).catch((error: unknown) => {
      problem.value = whyNot(error);
    });
  };
  return (
    <div class="connect">
      {wallets.map((wallet) => (
        <button key={wallet.uuid} type="button" class="wallet" onClick={() => connect(wallet)}>
          {wallet.icon !== null && <img src={wallet.icon} alt="" width={20} height={20} />}
          <span>{wallet.name}</span>
          <span class="faint">wallet</span>
        </button>
      ))}
      {accounts.length > 0 && (
        <select
          class="select"
          aria-label="Use a test account"
          value=""
          onChange={(event) => {
            const chosen = accounts.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) session.useTestAccount(chosen);
          }}
        >
          <option value="">Use a test account…</option>
          {accounts.map((address, index) => (
            <option key={address} value={address}>
              {`${index + 1}: ${shortHex(address, 6, 6)}`}
            </option>
          ))}
        </select>
      )}
      {wallets.length === 0 && (
        <p class="faint">
          {accounts.length > 0
            ? 'No wallet in this browser. This network takes orders of its test accounts without one.'
            : 'No wallet in this browser announces itself (EIP-6963). With one you can trade from here.'}
        </p>
      )}
      <Problem text={problem.value} />
    </div>
  );
}

const kinds = { test: 'test account', wallet: 'wallet', agent: 'agent key' } as const;

function Who({ session, identity }: { readonly session: WalletSession; readonly identity: Identity }): JSX.Element {
  const isAsked = useSignal(false);
  return (
    <div class="who">
      <Hash value={identity.address} chip copy={false} />
      <Badge tone={identity.kind === 'test' ? 'warn' : 'accent'}>{kinds[identity.kind]}</Badge>
      <span class="grow" />
      {identity.kind !== 'test' && (
        <Button size="small" tone="plain" onClick={() => (isAsked.value = true)}>
          {identity.kind === 'wallet' ? 'One-click' : 'Key'}
        </Button>
      )}
      <Button size="small" tone="plain" onClick={() => session.leave()}>
        Leave
      </Button>
      <AgentDialog
        session={session}
        identity={identity}
        isOpen={isAsked.value}
        onClose={() => (isAsked.value = false)}
      />
    </div>
  );
}
