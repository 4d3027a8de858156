import { amountText } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useMarkets } from '../../app/useMarkets.ts';
import { describeAction } from '../../chain/action.ts';
import { describeEvent } from '../../chain/event.ts';
import { describeResult } from '../../chain/result.ts';
import { Badge, Card, Empty, formatInteger } from '../../kit/index.ts';
import { pastedAbi } from './pastedAbi.ts';
import { type FinalTransaction, isNative, type TransactionProps } from './readTransaction.ts';
import { type Decoder, useDecoder } from './useDecoder.ts';
import { Values } from './Values.tsx';

/** What it was for, and what came of it, in words. */
export function Outcome(props: TransactionProps): JSX.Element {
  return (
    <Card title="What it does">
      {isNative(props.transaction) ? <Action {...props} /> : <Call {...props} />}
      {props.final !== null && <Changes final={props.final} />}
    </Card>
  );
}

const shownChangesMax = 6;

/** The first of what changed on the exchange. */
function Changes({ final: { events } }: { readonly final: FinalTransaction }): JSX.Element | null {
  const markets = useMarkets();
  if (events.length === 0) return null;
  return (
    <div class="changes">
      <h3>Changed on the exchange</h3>
      <ul>
        {events.slice(0, shownChangesMax).map((event) => {
          const { title, words, tone } = describeEvent(event, markets);
          return (
            <li key={`${event.blockNumber} ${event.index}`}>
              <Badge tone={tone}>{title}</Badge> <span class="muted">{words}</span>
            </li>
          );
        })}
      </ul>
      {events.length > shownChangesMax && (
        <p class="faint">and {formatInteger(events.length - shownChangesMax)} more, below</p>
      )}
    </div>
  );
}

function Action({ transaction, final }: TransactionProps): JSX.Element {
  const markets = useMarkets();
  const { type, words } = describeAction(transaction.input, markets);
  if (final === null)
    return <Empty title="Not carried out yet">The order book answers in the block that takes it in.</Empty>;
  const marketId = transaction.action?.['marketId'];
  const result = describeResult(final.receipt.output ?? '0x', markets, typeof marketId === 'number' ? marketId : null);
  if (result === null) return <Empty title="The answer of the order book cannot be read by this explorer" />;
  return (
    <div class="outcome">
      <p class="said">
        <strong>{type ?? 'action'}</strong> {words}
      </p>
      <p class="answer">
        <Badge tone={result.isDone ? 'good' : 'bad'}>{result.isDone ? 'done' : 'refused'}</Badge> {result.words}
      </p>
      {result.lines.length > 0 && (
        <ul class="muted">
          {result.lines.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Why an EVM transaction failed. */
function failureOf({ transaction, receipt }: FinalTransaction, decoder: Decoder | null): string {
  const output = receipt.output ?? '0x';
  const abis = decoder?.abisFor(transaction.to, pastedAbi.value?.abi ?? null) ?? [];
  const gas = { gas: BigInt(transaction.gas), gasUsed: BigInt(receipt.gasUsed) };
  return decoder?.revertWords({ output, ...gas }, abis) ?? '…';
}

function Call({ transaction, final }: TransactionProps): JSX.Element {
  const decoder = useDecoder();
  const { to, input } = transaction;
  const call = decoder?.decodeCall(input, decoder.abisFor(to, pastedAbi.value?.abi ?? null)) ?? null;
  const isFailed = final !== null && BigInt(final.receipt.status) === 0n;
  return (
    <div class="outcome">
      {isFailed && (
        <div class="failure">
          <Badge tone="bad">reverted</Badge>
          <p class="said">{failureOf(final, decoder)}</p>
          <p class="faint">Nothing of it counts, but the gas was used.</p>
        </div>
      )}
      {to === null ? (
        <p class="said">makes a contract of {formatInteger((input.length - 2) / 2)} bytes</p>
      ) : input === '0x' ? (
        <p class="said">{BigInt(transaction.value) === 0n ? 'calls it with nothing' : 'sends coins'}</p>
      ) : call === null ? (
        <>
          <p class="said">
            calls <code>{input.slice(0, 10)}</code>
          </p>
          <p class="faint">Nobody told this page what that is. Paste the ABI of the contract below to read it.</p>
        </>
      ) : (
        <>
          <p class="said">
            calls <strong>{call.name}</strong>
            {BigInt(transaction.value) > 0n && ` with ${amountText(BigInt(transaction.value))}`}
          </p>
          <Values values={call.values} />
          <p class="faint">Read with the ABI of {call.source}.</p>
        </>
      )}
    </div>
  );
}
