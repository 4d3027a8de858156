import type { JSX } from 'preact';
import { Empty, formatInteger, KeyValue, Raw } from '../../kit/index.ts';
import type { WireTransaction } from './readTransaction.ts';

/** Bytes that are shown; more of them nobody reads. */
const shownBytesMax = 8_192;
const wordLetters = 64;

/** What was signed: bytes of a call in words of 32, or the fields of an action. */
export function Input({ transaction: { input, action } }: { readonly transaction: WireTransaction }): JSX.Element {
  if (action !== undefined) {
    const fields = Object.entries(action);
    return fields.some(([, value]) => typeof value === 'object' && value !== null) ? (
      <Raw label="Fields of the action" value={action} />
    ) : (
      <KeyValue entries={fields.map(([name, value]) => ({ name, value: <span class="mono">{String(value)}</span> }))} />
    );
  }
  if (input === '0x') return <Empty title="It has no input" />;
  const bytes = (input.length - 2) / 2;
  const shown = input.slice(2, 2 + shownBytesMax * 2);
  const words = shown.slice(8).match(new RegExp(`.{1,${wordLetters}}`, 'g')) ?? [];
  return (
    <>
      <pre class="raw" role="region" aria-label="Input in words of 32 bytes" tabIndex={0}>
        {[`0x${shown.slice(0, 8)}`, ...words.map((word, index) => `${`[${index}]`.padStart(6)} ${word}`)].join('\n')}
      </pre>
      {bytes > shownBytesMax && (
        <p class="faint foot">
          {formatInteger(bytes)} bytes, of which the first {formatInteger(shownBytesMax)} are shown. Raw has all of
          them.
        </p>
      )}
    </>
  );
}
