import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useHeld, useHref, useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import {
  Badge,
  Card,
  CopyButton,
  Empty,
  formatInteger,
  Hash,
  Icon,
  Known,
  orPlace,
  PageHead,
} from '../../kit/index.ts';
import { isHash } from '../../router/routes.ts';
import type { PageProps } from '../props.ts';
import { Contents } from './Contents.tsx';
import { Overview } from './Overview.tsx';
import { readBlock } from './readBlock.ts';
import { Signatures } from './Signatures.tsx';

/** One block: who decided it, and what is in it. */
export function Page({ route: { block: name } }: PageProps<'block'>): JSX.Element {
  const node = useNode();
  useHeld(node.markets, node.validators);
  const found = useResource(name, async ({ client }) => ({ read: await readBlock(client, name) }));
  // A number that is still to come is read when it is there.
  useSignalEffect(() => {
    const head = node.chain.head.value?.number;
    if (found.value?.read === null && !isHash(name) && head !== undefined && head >= BigInt(name)) found.reload();
  });
  const read = found.value?.read ?? null;
  const number = read?.block.number ?? (isHash(name) ? null : BigInt(name));
  return (
    <div class="stack">
      <PageHead
        title={number === null ? 'Block' : `Block ${number}`}
        kind="Block"
        shown={number === null ? <Hash value={name} /> : <span class="number">{formatInteger(number)}</span>}
      >
        {read !== null && <Badge tone="good">final</Badge>}
        {number !== null && <Neighbours number={number} />}
      </PageHead>
      <Known what="This block" of={found} inCard>
        {found.value !== null && read === null ? (
          <Absent name={name} />
        ) : (
          <>
            <div class="columns">
              <Overview read={read} />
              <Signatures read={read} />
            </div>
            {orPlace(read, '100%', (known) => (
              <Contents read={known} />
            ))}
          </>
        )}
      </Known>
    </div>
  );
}

/** One block back, one forward. */
function Neighbours({ number }: { readonly number: bigint }): JSX.Element {
  const href = useHref();
  const head = useNode().chain.head.value?.number ?? number;
  const link = (to: bigint, label: string, icon: 'left' | 'right', exists: boolean): JSX.Element => {
    const shown = { class: 'button icon small', 'aria-label': label, title: label, children: <Icon name={icon} /> };
    return exists ? (
      <a {...shown} href={href({ page: 'block', block: to.toString() })} />
    ) : (
      <button {...shown} type="button" disabled />
    );
  };
  return (
    <>
      {link(number - 1n, 'Block before', 'left', number > 0n)}
      {link(number + 1n, 'Block after', 'right', number < head)}
    </>
  );
}

function Absent({ name }: { readonly name: string }): JSX.Element {
  const head = useNode().chain.head.value;
  return (
    <Card>
      {isHash(name) ? (
        <Empty title="The node knows no block with this hash">
          It may be of another network. <CopyButton value={name} />
        </Empty>
      ) : (
        <Empty title="This block is not decided yet">
          {head === null ? 'It' : `The newest one is ${formatInteger(head.number)}. This page`} shows it when it is
          there.
        </Empty>
      )}
    </Card>
  );
}
