import { type DomainEventOf, getDomainEvents, HistoryPrunedError } from '@prime/sdk';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { ValidatorLink } from '../../chain/links.tsx';
import {
  Amount,
  Badge,
  type Column,
  Empty,
  formatInteger,
  Known,
  ofKnown,
  TableCard,
  wordsOf,
} from '../../kit/index.ts';
import { registeredOf } from '../../live/consensus.ts';
import type { ExplorerNode } from '../../node/node.ts';

/** Blocks that are looked through: what one question may span, or less. */
const spanBlocks = 50_000n;
const shownEvents = 20;

type ValidatorEvent = DomainEventOf;
interface Change {
  readonly validator?: `0x${string}`;
  readonly stake?: bigint;
  readonly reason?: string;
}

const tones: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  joined: 'good',
  unjailed: 'good',
  jailed: 'warn',
  slashed: 'bad',
  left: 'warn',
};

interface Found {
  /** Newest first. */
  readonly events: readonly ValidatorEvent[];
  readonly from: bigint;
}

/** @param address of one validator; null is all */
async function readEvents({ client, chain }: ExplorerNode, address: `0x${string}` | null): Promise<Found> {
  const head = chain.head.peek()?.number ?? 0n;
  const read = async (from: bigint): Promise<Found> => {
    const filter = { domain: 'validators', ...(address !== null && { address }) } as const;
    const events = await getDomainEvents(client.sdk, { fromBlock: from, toBlock: 'latest', ...filter });
    return { from, events: events.toReversed().slice(0, shownEvents) };
  };
  const from = head > spanBlocks ? head - spanBlocks : 0n;
  try {
    return await read(from);
  } catch (error) {
    if (error instanceof HistoryPrunedError && error.oldest !== null) return read(error.oldest);
    throw error;
  }
}

const columns: readonly Column<ValidatorEvent>[] = [
  { title: 'Block', width: '110px', cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
  {
    title: 'What happened',
    width: '190px',
    cell: ({ kind }) => <Badge tone={tones[kind] ?? 'plain'}>{wordsOf(kind)}</Badge>,
  },
  {
    title: 'Validator',
    cell: ({ data }) => {
      const { validator } = data as Change;
      return ofKnown(validator, (address) => <ValidatorLink address={address} />);
    },
  },
  {
    title: 'Stake afterwards',
    align: 'right',
    wideOnly: true,
    cell: ({ data }) => {
      const { stake } = data as Change;
      return ofKnown(stake, (wei) => <Amount wei={wei} digitsMax={2} />);
    },
  },
];

/** Who joined, left, was jailed, or signed twice. */
export function History({ address = null }: { readonly address?: `0x${string}` | null }): JSX.Element {
  const node = useNode();
  const isThere = node.chain.head.value !== null;
  const found = useResource(`${address} ${isThere}`, async (at) => (isThere ? readEvents(at, address) : null));
  // Whoever changes is another one among the registered, too.
  const registered = registeredOf(node).value.value;
  const standing = registered?.map((one) => `${one.address}${one.status}${one.stake}${one.signer}`).join();
  const { reload } = found;
  useEffect(() => {
    if (standing !== undefined) reload();
  }, [standing, reload]);
  const from = found.value?.from ?? 0n;
  return (
    <Known what="What happened to validators" of={found} inCard title="Membership and evidence">
      <TableCard
        title="Membership and evidence"
        aside={from > 1n && <span class="faint number quiet">since block {formatInteger(from)}</span>}
        columns={columns}
        rows={found.value?.events ?? null}
        keyOf={({ blockNumber, index }) => `${blockNumber} ${index}`}
        expected={2}
        empty={
          <Empty title="Nobody joined, left or was punished">
            Who is away too long is jailed, and who signs two blocks of one height loses stake and place. Both would
            stand here.
          </Empty>
        }
      />
    </Known>
  );
}
