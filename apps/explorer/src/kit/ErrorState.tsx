import type { ComponentChildren, JSX } from 'preact';
import type { Resource } from '../live/poll.ts';
import { isUnreachable, lacksMethod } from '../node/rpcClient.ts';
import { Button } from './inputs.tsx';
import { Card } from './layout.tsx';

interface ErrorStateProps {
  /** What could not be shown: `This block`. */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Why something is not there, in words, and what to do about it. */
function explanation(error: unknown): string {
  if (lacksMethod(error))
    return 'The node does not have the method for it: it runs another version, or the method is switched off there.';
  if (isUnreachable(error)) return 'The node does not answer. The page asks again by itself when it is back.';
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0]!;
}

/** Stands where something could not be read, and says why. A node that lacks the method is not asked again. */
export const ErrorState = ({ what, error, onRetry }: ErrorStateProps): JSX.Element => (
  <div class="empty" role="alert">
    <strong>{what} cannot be shown</strong>
    <p>{explanation(error)}</p>
    {onRetry !== undefined && !lacksMethod(error) && (
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    )}
  </div>
);

interface KnownProps {
  /** As {@link ErrorState} has it. */
  readonly what: string;
  readonly of: Resource<unknown>;
  /** Puts the reason into a card, where the children are cards. */
  readonly inCard?: boolean;
  /** Of that card. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** Its children, unless nothing is known because it could not be read: then why. */
export function Known({
  what,
  of: { value, error, reload },
  inCard = false,
  title,
  children,
}: KnownProps): JSX.Element {
  if (value !== null || error === null) return <>{children}</>;
  const reason = <ErrorState what={what} error={error} onRetry={reload} />;
  return inCard ? <Card title={title}>{reason}</Card> : reason;
}

/** What went wrong with what somebody asked for; nothing while nothing did. */
export const Problem = ({ text }: { readonly text: string | null }): JSX.Element | null =>
  text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
