import type { JSX } from 'preact';
import { useHref } from '../app/context.ts';
import { formatInteger } from '../kit/format.ts';

interface BlockLinkProps {
  readonly number: bigint;
  readonly class?: string;
  /** Told of it where the pointer rests. */
  readonly title?: string;
}

/** Number of a block, which leads to its page. */
export function BlockLink({ number, class: more = '', title }: BlockLinkProps): JSX.Element {
  const href = useHref();
  return (
    <a class={`number ${more}`.trim()} href={href({ page: 'block', block: number.toString() })} title={title}>
      {formatInteger(number)}
    </a>
  );
}
