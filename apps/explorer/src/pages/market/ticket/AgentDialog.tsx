import type { JSX } from 'preact';
import { useAttempt } from '../../../app/useAttempt.ts';
import { Button, Dialog, formatMoment, Hash, Problem, toast } from '../../../kit/index.ts';
import type { Identity } from '../../../wallet/identity.ts';
import type { WalletSession } from '../../../wallet/session.ts';
import { whyNot } from '../../../wallet/trader.ts';

interface AgentDialogProps {
  readonly session: WalletSession;
  readonly identity: Identity;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** What an agent key is, and the way to one and away from it. */
export function AgentDialog({ session, identity, isOpen, onClose }: AgentDialogProps): JSX.Element {
  const title = identity.kind === 'agent' ? 'The agent key of this page' : 'Trade without a question each time';
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div class="stack">
        <p>
          An agent key is a second key, made by this page and kept in the storage of this browser. It signs orders and
          cancels for your account without asking. It can not withdraw, transfer or approve anything, and it ends after
          seven days.
        </p>
        <p class="muted">
          Whoever can read this browser’s storage can trade with it. Forget it on a computer that others use.
        </p>
        {identity.kind === 'agent' && (
          <p>
            <Hash value={identity.agent.address} /> may sign until{' '}
            <span class="number">{formatMoment(identity.agent.validUntilMs)}</span>.
          </p>
        )}
        <Choice session={session} identity={identity} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Choice({ session, identity, onClose }: Omit<AgentDialogProps, 'isOpen'>): JSX.Element {
  const { isBusy, problem, attempt } = useAttempt();
  const run = async (act: Promise<void>, done: string): Promise<void> => {
    await act;
    toast(done, 'good');
    onClose();
  };
  const forget = (): void => {
    const ended = run(session.endAgent(), 'The key is deleted, and may sign no more where its wallet took that back.');
    // The key is gone by then, and this window with it.
    attempt(() => ended.catch((error: unknown) => toast(whyNot(error), 'bad')));
  };
  const make = (): void => attempt(() => run(session.startAgent(), 'Orders are signed by the agent key from now on.'));
  return (
    <>
      <Problem text={problem} />
      <div class="row">
        {identity.kind === 'agent' ? (
          <Button tone="sell" disabled={isBusy} onClick={forget}>
            Forget it and take its permission back
          </Button>
        ) : (
          <Button tone="primary" disabled={isBusy} onClick={make}>
            {isBusy ? 'Waiting for the wallet…' : 'Make a key and allow it in the wallet'}
          </Button>
        )}
        <Button tone="plain" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}
