import type { Address, Hash } from '@prime/sdk';
import { amountText } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useHref, useNode } from '../../app/context.ts';
import { useMarkets } from '../../app/useMarkets.ts';
import { useResource } from '../../app/useResource.ts';
import { marketName, type Markets, sizeWords } from '../../chain/markets.ts';
import { shareOf } from '../../chain/share.ts';
import {
  Badge,
  Button,
  Card,
  Field,
  formatInteger,
  formatPercent,
  Hash as HashText,
  submitting,
} from '../../kit/index.ts';
import { isHash } from '../../router/routes.ts';
import type { Comparison } from './compare.ts';
import type { AccountProof } from './prove.ts';

type Attempt =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'proven'; readonly proof: AccountProof }
  | { readonly state: 'failed'; readonly error: unknown };

/** Checks in the page that what the node shows is what the validators signed. */
export function Proof({ address }: { readonly address: Address }): JSX.Element {
  const { client } = useNode();
  const [attempt, setAttempt] = useState<Attempt>({ state: 'idle' });
  const [typed, setTyped] = useState<string | null>(null);
  const genesis = useResource('genesis', async () => {
    const block = await client.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] });
    return (block as { readonly hash: Hash }).hash;
  });
  const hash = (typed ?? genesis.value ?? '').trim().toLowerCase();
  const check = (): void => {
    if (!isHash(hash) || attempt.state === 'running') return;
    setAttempt({ state: 'running' });
    import('./prove.ts')
      .then(({ proveAccount }) => proveAccount(client, address, hash))
      .then(
        (proof) => setAttempt({ state: 'proven', proof }),
        (error: unknown) => setAttempt({ state: 'failed', error }),
      );
  };
  return (
    <Card title="Check this against the state root">
      <form class="stack" onSubmit={submitting(check)}>
        <p class="muted">
          This page can do without trusting the node: it follows the signatures of the validators from genesis to a
          block of now, and checks that the account stands so in the state that they signed.
        </p>
        <Field
          label="Hash of genesis that you trust"
          value={typed ?? genesis.value ?? ''}
          onInput={setTyped}
          hint={
            typed === null || typed === genesis.value
              ? 'The node says so. Compare it with one that you have from elsewhere.'
              : 'Yours.'
          }
          problem={hash === '' || isHash(hash) ? null : 'A hash is 0x and 64 hex digits.'}
        />
        <div class="row">
          <Button type="submit" tone="primary" disabled={!isHash(hash) || attempt.state === 'running'}>
            {attempt.state === 'running' ? 'Checking …' : 'Check it now'}
          </Button>
        </div>
      </form>
      <div role="status">
        {attempt.state === 'proven' && <Proven proof={attempt.proof} />}
        {attempt.state === 'failed' && <NotProven error={attempt.error} />}
      </div>
    </Card>
  );
}

function Proven({ proof }: { readonly proof: AccountProof }): JSX.Element {
  const href = useHref();
  const { comparisons, power, signedBlock, steps, blockNumber, stateRoot, isPresent } = proof;
  const differing = comparisons?.filter(({ isSame }) => !isSame).length ?? 0;
  const isBad = differing > 0;
  const share = formatPercent(shareOf(power.signed, power.total, 1_000n));
  return (
    <div class={isBad ? 'verdict bad' : 'verdict good'}>
      <p class="said">
        {isBad ? (
          <>
            <Badge tone="bad">does not agree</Badge> The node shows something else than what the validators signed.
          </>
        ) : comparisons === null ? (
          <>
            <Badge tone="warn">proven, not compared</Badge> The account changes faster than it can be looked at twice.
          </>
        ) : (
          <>
            <Badge tone="good">proven</Badge>{' '}
            {isPresent
              ? 'What the node shows is what the validators signed.'
              : 'It is proven that the account has nothing.'}
          </>
        )}
      </p>
      {comparisons !== null && <Comparisons comparisons={comparisons} />}
      <p class="muted">
        After <a href={href({ page: 'block', block: blockNumber.toString() })}>block {formatInteger(blockNumber)}</a>,
        by the header of block {formatInteger(signedBlock)}, which {share} of the voting power signed.{' '}
        {formatInteger(steps)} {steps === 1 ? 'certificate was' : 'certificates were'} checked on the way from genesis.
      </p>
      <p class="faint root">
        <span class="number">State root</span> <HashText value={stateRoot} whole />
      </p>
    </div>
  );
}

function textOf({ marketId, name }: Comparison, value: bigint | boolean, markets: Markets): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (marketId !== null && name === 'Position') return sizeWords(markets.get(marketId), value);
  return marketId === null || name === 'Opened for' ? amountText(value) : formatInteger(value);
}

function Comparisons({ comparisons }: { readonly comparisons: readonly Comparison[] }): JSX.Element {
  const markets = useMarkets();
  return (
    <ul class="comparisons">
      {comparisons.map((one) => {
        const text = (value: bigint | boolean): string => textOf(one, value, markets);
        const of = one.marketId === null ? '' : ` ${marketName(markets, one.marketId)}`;
        return (
          <li key={`${one.name} ${one.marketId}`} class={one.isSame ? '' : 'differs'}>
            <span class={one.isSame ? 'buy' : 'sell'} aria-hidden="true">
              {one.isSame ? '✓' : '✗'}
            </span>
            <span class="muted">
              {one.name}
              {of}
            </span>
            <span class="number">{text(one.proven)}</span>
            {!one.isSame && <span class="sell">the node shows {text(one.shown)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** What is not proven, in words, of what the light client found. */
const failureWords: Readonly<Record<string, string>> = {
  wrong_network: 'This is another network than the one whose genesis you trust.',
  wrong_block: 'A block does not fit to its own header, hash and certificate.',
  wrong_validators: 'The validators that the node names are not those that the chain has.',
  wrong_time: 'A block has a time that cannot be.',
  wrong_signature: 'A signature is not by the validator whose name it has.',
  not_enough_power: 'Too few of the validators signed.',
  wrong_proof: 'The account does not follow from the state that the validators signed.',
  stale_proof: 'The node shows the past in place of the present.',
  block_missing: 'The node does not show the block that is needed.',
  malformed: 'The node sends something that is no proof.',
};

function NotProven({ error }: { readonly error: unknown }): JSX.Element {
  const kind = error instanceof Error && 'kind' in error ? String(error.kind) : '';
  const words = failureWords[kind];
  const detail = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  return (
    <div class="verdict bad">
      <p class="said">
        <Badge tone="bad">not proven</Badge> {words ?? 'It could not be checked.'}
      </p>
      <p class="muted">{detail}</p>
    </div>
  );
}
