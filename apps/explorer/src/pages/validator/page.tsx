import { AccountLink } from '../../chain/links.tsx';
import '../validators/validators.css';
import type { RegisteredValidator, Validator } from '@prime/sdk';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useHeld, useHref, useNode } from '../../app/context.ts';
import {
  Amount,
  Badge,
  Card,
  Empty,
  ErrorState,
  formatInteger,
  formatMoment,
  formatPercent,
  Hash,
  type KeyEntry,
  KeyValue,
  PageHead,
  Skeleton,
  Stat,
  Stats,
} from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { registeredOf } from '../../live/consensus.ts';
import { isUp } from '../../live/participation.ts';
import { nodesOf, presenceOf } from '../../live/presence.ts';
import type { PageProps } from '../props.ts';
import { History } from '../validators/History.tsx';
import { membershipOf } from '../validators/names.ts';
import { standingOf } from '../validators/members.ts';
import { Standing } from '../validators/Standing.tsx';
import { Jailed } from './Jailed.tsx';
import { Proposals } from './Proposals.tsx';
import { Record } from './Record.tsx';

/** One validator: who it is, and what it did lately. */
export function Page({ route: { address } }: PageProps<'validator'>): JSX.Element {
  const node = useNode();
  const registered = registeredOf(node);
  useHeld(node.validators, presenceOf(node), commitsOf(node), registered);
  const set = node.validators.value.value;
  const members = useMemo(() => membershipOf(set ?? []), [set]);
  const member = set?.find((one) => one.address === address) ?? null;
  const listed = registered.value.value?.find((one) => one.address === address) ?? null;
  const one = member ?? listed;
  const blocks = node.chain.blocks.value;
  const up = member === null || blocks.length === 0 ? null : isUp(address, blocks, presenceOf(node).absence.value);
  // Who is in the set is known first; the others a moment later.
  const isRead =
    set !== null && (member !== null || registered.value.value !== null || registered.error.value !== null);
  return (
    <div class="stack">
      <PageHead title={one?.moniker ?? 'Validator'} kind="Validator">
        {one !== null && <Standing of={standingOf(member ?? one, up)} />}
      </PageHead>
      {set === null && node.validators.error.value !== null ? (
        <Card>
          <ErrorState what="This validator" error={node.validators.error.value} onRetry={node.validators.refresh} />
        </Card>
      ) : isRead && one === null ? (
        <Stranger address={address} />
      ) : (
        <>
          <Figures
            address={address}
            share={member === null ? null : members.shareOf([address])}
            stake={one?.stake ?? null}
          />
          {(listed?.status === 'jailed' || listed?.tombstoned === true) && <Jailed validator={listed} />}
          <Record address={address} name={one?.moniker ?? ''} isMissing={up === false} />
          <div class="columns">
            <Identity address={address} one={one} listed={listed} />
            <Proposals address={address} />
          </div>
          <History address={address} />
        </>
      )}
    </div>
  );
}

function Stranger({ address }: { readonly address: `0x${string}` }): JSX.Element {
  const href = useHref();
  return (
    <Card>
      <Empty title="This is no validator of this network">
        The account may be something else: <a href={href({ page: 'address', address })}>look at the account</a>, or at{' '}
        <a href={href({ page: 'validators' })}>all validators</a>.
      </Empty>
    </Card>
  );
}

interface FiguresProps {
  readonly address: string;
  /** Of the power; null outside of the set. */
  readonly share: number | null;
  readonly stake: bigint | null;
}

function Figures({ address, share, stake }: FiguresProps): JSX.Element {
  const commits = commitsOf(useNode()).commits.value;
  const signed = commits?.filter(({ signers }) => signers.includes(address as `0x${string}`)).length ?? 0;
  const proposed = commits?.filter(({ proposer }) => proposer === address).length ?? 0;
  const missed = commits?.flatMap(({ missedTurns }) => missedTurns).filter((turn) => turn === address).length ?? 0;
  const of = commits === null ? '' : `of the latest ${commits.length} blocks`;
  return (
    <Stats>
      <Stat
        label="Power"
        value={stake === null ? null : share === null ? 'none' : formatPercent(share)}
        note={share === null ? 'it is not in the set' : 'of the set'}
      />
      <Stat label="Stake" value={stake === null ? null : <Amount wei={stake} digitsMax={2} />} note="bonded" />
      <Stat
        label="Signed"
        value={commits === null ? null : `${signed}/${commits.length}`}
        note={commits === null ? '' : `${formatPercent(commits.length === 0 ? 0 : signed / commits.length, 0)} ${of}`}
      />
      <Stat label="Proposed" value={commits === null ? null : formatInteger(proposed)} note={of} />
      <Stat
        label="Turns failed"
        value={commits === null ? null : <span class={missed > 0 ? 'warn' : ''}>{formatInteger(missed)}</span>}
        note={of}
      />
    </Stats>
  );
}

interface IdentityProps {
  readonly address: `0x${string}`;
  readonly one: Validator | RegisteredValidator | null;
  readonly listed: RegisteredValidator | null;
}

function Identity({ address, one, listed }: IdentityProps): JSX.Element {
  const node = useNode();
  const known = nodesOf(node).value.value?.validators.find((validator) => validator.address === address);
  const jailed = listed?.jailedUntilMs ?? null;
  const entries: readonly KeyEntry[] = [
    { name: 'Address', value: <AccountLink address={address} whole /> },
    { name: 'Public key', value: one === null ? <Skeleton width="40ch" /> : <Hash value={one.publicKey} whole /> },
    { name: 'Signs with', value: <Hash value={listed?.signer ?? ''} whole />, absent: listed === null },
    {
      name: 'In jail until',
      value: <span class="number">{jailed === null ? '' : formatMoment(jailed)}</span>,
      absent: jailed === null,
    },
    { name: 'Newest block', value: <Head head={known?.head ?? null} /> },
    {
      name: 'Rules that it knows',
      value:
        known?.knownVersion == null ? (
          <span class="faint">not told to this node</span>
        ) : (
          `version ${known.knownVersion}`
        ),
    },
  ];
  return (
    <Card title="Identity" aside={listed?.tombstoned === true && <Badge tone="bad">signed twice</Badge>} flush>
      <KeyValue entries={entries} />
    </Card>
  );
}

const Head = ({ head }: { readonly head: bigint | null }): JSX.Element =>
  head === null ? <span class="faint">not told to this node</span> : <span class="number">{formatInteger(head)}</span>;
