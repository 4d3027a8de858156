import '../validators/validators.css';
import type { RegisteredValidator, Validator } from '@prime/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useHeld, useHref, useNode } from '../../app/context.ts';
import { AccountLink } from '../../chain/links.tsx';
import { useUp } from '../../chain/useUp.ts';
import {
  Amount,
  Badge,
  Card,
  Empty,
  formatInteger,
  formatPercent,
  Hash,
  KeyCard,
  type KeyEntry,
  Known,
  ofKnown,
  orNone,
  orPlace,
  PageHead,
  Stat,
  Stats,
  Until,
} from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { registeredOf } from '../../live/consensus.ts';
import { resourceOf } from '../../live/poll.ts';
import { nodesOf, presenceOf } from '../../live/presence.ts';
import type { PageProps } from '../props.ts';
import { History } from '../validators/History.tsx';
import { recordOf } from '../validators/lanes.ts';
import { standingOf } from '../validators/members.ts';
import { membershipOf } from '../validators/names.ts';
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
  const isUp = useUp();
  const up = member === null ? null : isUp(address);
  // Who is in the set is known first; the others a moment later.
  const isRead =
    set !== null && (member !== null || registered.value.value !== null || registered.error.value !== null);
  return (
    <div class="stack">
      <PageHead title={one?.moniker ?? 'Validator'} kind="Validator">
        {one !== null && <Standing of={standingOf(member ?? one, up)} />}
      </PageHead>
      <Known what="This validator" of={resourceOf(node.validators)} inCard>
        {isRead && one === null ? (
          <Stranger address={address} />
        ) : (
          <>
            <Figures address={address} share={ofKnown(member, () => members.shareOf([address]))} stake={one?.stake} />
            {(listed?.status === 'jailed' || listed?.tombstoned === true) && <Jailed validator={listed} />}
            <Record address={address} name={one?.moniker ?? ''} isMissing={up === false} />
            <div class="columns">
              <Identity address={address} one={one} listed={listed} />
              <Proposals address={address} />
            </div>
            <History address={address} />
          </>
        )}
      </Known>
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
  readonly address: `0x${string}`;
  /** Of the power; null outside of the set. */
  readonly share: number | null;
  readonly stake: bigint | undefined;
}

function Figures({ address, share, stake }: FiguresProps): JSX.Element {
  const commits = commitsOf(useNode()).commits.value;
  const record = ofKnown(commits, (known) => recordOf(address, known));
  const of = ofKnown(record, ({ blocks }) => `of the latest ${blocks} blocks`);
  return (
    <Stats>
      <Stat
        label="Power"
        value={ofKnown(stake, () => (share === null ? 'none' : formatPercent(share)))}
        note={share === null ? 'it is not in the set' : 'of the set'}
      />
      <Stat label="Stake" value={ofKnown(stake, (wei) => <Amount wei={wei} digitsMax={2} />)} note="bonded" />
      <Stat
        label="Signed"
        value={ofKnown(record, ({ signed, blocks }) => `${signed}/${blocks}`)}
        note={ofKnown(record, ({ signed, blocks }) => `${formatPercent(blocks === 0 ? 0 : signed / blocks, 0)} ${of}`)}
      />
      <Stat label="Proposed" value={ofKnown(record, ({ proposed }) => formatInteger(proposed))} note={of} />
      <Stat
        label="Turns failed"
        value={ofKnown(record, ({ missedTurns }) => (
          <span class={missedTurns > 0 ? 'warn' : ''}>{formatInteger(missedTurns)}</span>
        ))}
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
    { name: 'Public key', value: orPlace(one, '40ch', ({ publicKey }) => <Hash value={publicKey} whole />) },
    { name: 'Signs with', value: <Hash value={listed?.signer ?? ''} whole />, absent: listed === null },
    { name: 'In jail until', value: <Until ms={jailed ?? 0} />, absent: jailed === null },
    { name: 'Newest block', value: told(known?.head, (head) => <span class="number">{formatInteger(head)}</span>) },
    { name: 'Rules that it knows', value: told(known?.knownVersion, (version) => `version ${version}`) },
  ];
  return (
    <KeyCard
      title="Identity"
      aside={listed?.tombstoned === true && <Badge tone="bad">signed twice</Badge>}
      entries={entries}
    />
  );
}

const told = <T,>(known: T | null | undefined, show: (known: T) => ComponentChildren): ComponentChildren =>
  orNone(known, 'not told to this node', show);
