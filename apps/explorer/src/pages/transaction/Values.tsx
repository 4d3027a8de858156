import { AccountLink } from '../../chain/links.tsx';
import type { JSX } from 'preact';
import type { DecodedValue } from './decode.ts';

/** Arguments by name. */
export function Values({ values }: { readonly values: readonly DecodedValue[] }): JSX.Element | null {
  if (values.length === 0) return null;
  return (
    <dl class="values">
      {values.map(({ name, type, text, account }, index) => (
        <div key={index}>
          <dt>
            {name === '' ? `#${index}` : name} <span class="faint">{type}</span>
          </dt>
          <dd>{account === null ? <span class="mono">{text}</span> : <AccountLink address={account} />}</dd>
        </div>
      ))}
    </dl>
  );
}
