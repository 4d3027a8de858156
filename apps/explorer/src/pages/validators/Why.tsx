import type { Explanation } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { Skeleton } from '../../kit/index.ts';

/** An explanation in sentences; places for them while it is null. */
export const Why = ({ why }: { readonly why: Explanation | null }): JSX.Element => (
  <div class={`why ${why?.tone ?? ''}`} role="status">
    <strong>{why?.title ?? <Skeleton width="24ch" />}</strong>
    <p>{why?.text ?? <Skeleton width="60ch" />}</p>
  </div>
);
