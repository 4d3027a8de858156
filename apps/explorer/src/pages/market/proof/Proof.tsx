import type { Market } from '@prime/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, Button, Dialog, formatInteger, Hash, KeyValue, priceText, Skeleton, Time } from '../../../kit/index.ts';
import type { Lie } from './judge.ts';
import type { LiveProof, ProofState } from './liveProof.ts';

interface ProofProps {
  readonly market: Market;
  readonly proof: LiveProof;
}

const toneOf = { off: 'plain', waiting: 'plain', impossible: 'warn', proven: 'good', wrong: 'bad' } as const;

function wordOf(state: ProofState): string {
  switch (state.kind) {
    case 'off':
      return 'Check signatures';
    case 'waiting':
      return 'checking…';
    case 'impossible':
      return 'not provable here';
    case 'proven':
      return `✓ signed, block ${formatInteger(state.checked.blockNumber)}`;
    case 'wrong':
      return '✕ not what was signed';
  }
}

/** The mark beside the title of the book, and what is behind it. */
export function ProofMark({ market, proof }: ProofProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const state = proof.state.value;
  return (
    <>
      <button
        type="button"
        class="proof-mark"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
          if (state.kind === 'off') proof.turn(true);
        }}
      >
        <Badge tone={toneOf[state.kind]}>{wordOf(state)}</Badge>
      </button>
      <Dialog title="Is this what the validators signed?" isOpen={isOpen} onClose={close}>
        <div class="stack">
          <Result market={market} state={state} />
          <p class="muted">
            This browser asks the node for the newest block, checks the signatures of its validators from genesis on,
            and compares each level that is shown, the gaps between them, and your account with the state root in it.
            The node need not be trusted for that.
          </p>
          <Root proof={proof} />
          <div class="row">
            {state.kind === 'wrong' && state.isOtherNetwork && (
              <Button tone="primary" onClick={() => proof.trustAgain()}>
                Trust its genesis from now on
              </Button>
            )}
            {state.kind !== 'off' && <Button onClick={() => proof.turn(false)}>Stop checking</Button>}
            {state.kind === 'off' && (
              <Button tone="primary" onClick={() => proof.turn(true)}>
                Check
              </Button>
            )}
            <Button tone="plain" onClick={close}>
              Close
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/** Over the book, while something is wrong. */
export function ProofNote({ proof }: { readonly proof: LiveProof }): JSX.Element | null {
  const state = proof.state.value;
  if (state.kind !== 'wrong') return null;
  return (
    <p class="proof-note" role="alert">
      {state.why}
    </p>
  );
}

function Root({ proof }: { readonly proof: LiveProof }): JSX.Element {
  const hash = proof.genesisHash.value;
  return (
    <p class="muted">
      Trusted: the genesis {hash === null ? <Skeleton width="12ch" /> : <Hash value={hash} />} that this node had at
      your first visit. Compare it with what the people who run the network publish.
    </p>
  );
}

function Result({ market, state }: { readonly market: Market; readonly state: ProofState }): JSX.Element {
  const checked = 'checked' in state ? state.checked : null;
  return (
    <>
      {state.kind === 'wrong' && (
        <p class="problem" role="status">
          <strong>{state.why}</strong>
        </p>
      )}
      {state.kind === 'impossible' && <p>{state.why}</p>}
      {state.kind === 'waiting' && <p role="status">{state.why ?? 'Verifying…'}</p>}
      {state.kind === 'off' && <p>Nothing is checked now.</p>}
      {checked !== null && checked.judgement.lies.length > 0 && (
        <ul class="proof-lies">
          {checked.judgement.lies.slice(0, liesMax).map((lie, index) => (
            <li key={index}>{lieText(market, lie)}</li>
          ))}
        </ul>
      )}
      {checked !== null && (
        <KeyValue
          entries={[
            { name: 'After block', value: <span class="number">{formatInteger(checked.blockNumber)}</span> },
            { name: 'Signed', value: `by ${share(checked.power)} of the voting power` },
            { name: 'Next block', value: <Time timestampMs={checked.timestampMs} /> },
            { name: 'Levels compared', value: checked.judgement.compared },
            { name: 'Gaps with nothing in them', value: checked.judgement.gaps },
            {
              name: 'Your account',
              value: checked.isAccountRight === true ? 'collateral and positions are signed' : 'differs',
              absent: checked.isAccountRight === null,
            },
          ]}
        />
      )}
    </>
  );
}

const liesMax = 6;
const share = ({ signed, total }: { readonly signed: bigint; readonly total: bigint }): string =>
  `${Number((signed * 1_000n) / total) / 10} %`;

function lieText(market: Market, { side, price, what, signed }: Lie): string {
  const name = side === 'buy' ? 'Bids' : 'Asks';
  if (price === null) return `${name}: all levels are hidden.`;
  const at = `${name}, ${priceText(market, price)}`;
  if (what === 'hidden') return `${at}: a level beside it is hidden.`;
  return signed === 0n
    ? `${at}: nobody rests there.`
    : `${at}: ${market.formatSize(signed!)} ${market.base} was signed.`;
}
