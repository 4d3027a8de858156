import { coin } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useResource } from '../../app/useResource.ts';
import { AccountLink } from '../../chain/links.tsx';
import { Amount, Badge, Empty, formatInteger, Known, Skeleton } from '../../kit/index.ts';
import { flatten, type ShownFrame, type TraceFrame } from './frames.ts';
import { pastedAbi } from './pastedAbi.ts';
import type { WireTransaction } from './readTransaction.ts';
import { type Decoder, useDecoder } from './useDecoder.ts';

const shownFramesMax = 300;
/** Deeper ones stand as far in as this one. */
const depthMax = 12;

interface TraceProps {
  readonly transaction: WireTransaction;
  readonly isFinal: boolean;
}

/** Which contract called which: the node runs the transaction once more and tells. */
export const Trace = ({ transaction, isFinal }: TraceProps): JSX.Element =>
  isFinal ? <Frames transaction={transaction} /> : <Empty title="It did not run yet" />;

function Frames({ transaction: { hash } }: Pick<TraceProps, 'transaction'>): JSX.Element {
  const decoder = useDecoder();
  const trace = useResource(hash, async ({ client }) => {
    const found = await client.request({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] });
    return flatten(found as TraceFrame, shownFramesMax);
  });
  return (
    <Known what="The calls" of={trace}>
      {trace.value === null ? (
        <p class="trace-wait" role="status">
          <Skeleton width="24ch" /> <span class="faint">the node runs it once more …</span>
        </p>
      ) : (
        <ol class="trace" aria-label="Calls in their order">
          {trace.value.shown.map((one, index) => (
            <Frame key={index} {...one} decoder={decoder} />
          ))}
          {trace.value.more > 0 && <li class="faint">and {formatInteger(trace.value.more)} more calls</li>}
        </ol>
      )}
    </Known>
  );
}

const nameOf = ({ input, to }: TraceFrame, decoder: Decoder | null): string | null =>
  decoder?.decodeCall(input, decoder.abisFor(to ?? null, pastedAbi.value?.abi ?? null))?.name ?? null;

function Frame({ frame, depth, decoder }: ShownFrame & { readonly decoder: Decoder | null }): JSX.Element {
  const { type, to, value = '0x0', gasUsed, input, error, revertReason } = frame;
  const isMaking = type.startsWith('CREATE');
  const name = isMaking ? null : nameOf(frame, decoder);
  return (
    <li style={{ paddingLeft: `${16 + 22 * Math.min(depth, depthMax)}px` }}>
      <Badge tone={error === undefined ? 'plain' : 'bad'}>{type.toLowerCase()}</Badge>
      {to !== undefined && <AccountLink address={to} copy={false} />}
      {!isMaking && input.length >= 10 && (name === null ? <code>{input.slice(0, 10)}</code> : <strong>{name}</strong>)}
      {BigInt(value) > 0n && <Amount wei={BigInt(value)} unit={coin} />}
      {error !== undefined && <span class="sell">{revertReason ?? error}</span>}
      <span class="faint number used">{formatInteger(BigInt(gasUsed))} gas</span>
    </li>
  );
}
