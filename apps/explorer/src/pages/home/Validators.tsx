import type { NativeBlockHead, Validator } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { ValidatorLink } from '../../chain/links.tsx';
import { shareOf } from '../../chain/share.ts';
import { useUp } from '../../chain/useUp.ts';
import { type Column, Empty, formatPercent, Known, ofKnown, Strip, TableCard } from '../../kit/index.ts';
import { signedShare } from '../../live/participation.ts';
import { resourceOf } from '../../live/poll.ts';
import { Standing } from '../validators/Standing.tsx';

/** Blocks of the strip. */
const shownBlocks = 40;

/** Who votes, and what each signed lately. */
export function Validators(): JSX.Element {
  const node = useNode();
  const { validators, chain } = node;
  const isUp = useUp();
  const blocks = chain.blocks.value.slice(0, shownBlocks);
  const rows = validators.value.value;
  const power = (rows ?? []).reduce((sum, { votingPower }) => sum + votingPower, 0n);
  const columns: readonly Column<Validator>[] = [
    { title: 'Validator', cell: ({ address, moniker }) => <ValidatorLink address={address} name={moniker} /> },
    {
      title: 'Power',
      align: 'right',
      width: '64px',
      wideOnly: true,
      cell: ({ votingPower }) => (power === 0n ? '' : formatPercent(shareOf(votingPower, power), 1)),
    },
    {
      title: 'Latest blocks',
      width: '45%',
      cell: ({ address, moniker }) => (
        <Signed address={address} name={moniker} blocks={blocks} isUp={isUp(address) === true} />
      ),
    },
    {
      title: 'State',
      align: 'right',
      width: '92px',
      cell: ({ address }) => <Standing of={ofKnown(isUp(address), (up) => (up ? 'signing' : 'missing'))} />,
    },
  ];
  return (
    <Known what="The validators" of={resourceOf(validators)} inCard title="Validators">
      <TableCard
        title="Validators"
        columns={columns}
        rows={rows}
        keyOf={({ address }) => address}
        expected={4}
        empty={<Empty title="No validators" />}
      />
    </Known>
  );
}

interface SignedProps {
  readonly address: string;
  readonly name: string;
  readonly blocks: readonly NativeBlockHead[];
  readonly isUp: boolean;
}

function Signed({ address, name, blocks, isUp }: SignedProps): JSX.Element {
  const share = signedShare(address, blocks);
  // Whoever precommits a moment after the others is left out of a certificate, and misses nothing.
  const absent = isUp ? ('low' as const) : ('bad' as const);
  const cells = blocks.toReversed().map(({ number, commit }) => {
    const isSigned = commit?.signers.includes(address as `0x${string}`) === true;
    return {
      key: number.toString(),
      tone: commit === null ? ('plain' as const) : isSigned ? ('good' as const) : absent,
      title: `Block ${number}: ${isSigned ? 'signed' : 'not in the certificate'}`,
    };
  });
  const words = share === null ? 'nothing known' : `${formatPercent(share, 0)} of the latest ${blocks.length} blocks`;
  return <Strip label={`${name} signed ${words}`} cells={cells} />;
}
