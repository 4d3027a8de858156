import type { JSX } from 'preact';
import { useHref } from '../../app/context.ts';
import { Hash } from '../../kit/index.ts';
import type { DecodedValue } from './decode.ts';

/** Arguments by name. */
export function Values({ values }: { readonly values: readonly DecodedValue[] }): JSX.Element | null {
  const href = useHref();
  if (values.length === 0) return null;
  return (
    <dl class="values">
      {values.map(({ name, type, text, account }, index) => (
        <div key={index}>
          <dt>
            {name === '' ? `#${index}` : name} <span class="faint">{type}</span>
          </dt>
          <dd>
            {account === null ? (
              <span class="mono">{text}</span>
            ) : (
              <Hash value={account} href={href({ page: 'address', address: account })} chip />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
