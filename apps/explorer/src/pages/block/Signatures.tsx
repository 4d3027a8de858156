import { shareOf } from '../../chain/share.ts';
import { ValidatorLink } from '../../chain/links.tsx';
import type { Validator } from '@prime/sdk';
import type { JSX } from 'preact';
import { Badge, Card, type Column, Empty, formatPercent, Table } from '../../kit/index.ts';
import type { ReadBlock } from './readBlock.ts';

/** Whose precommits are in the certificate that decided the block. */
export function Signatures({ read }: { readonly read: ReadBlock | null }): JSX.Element {
  const commit = read?.block.commit ?? null;
  const validators = read?.validators ?? null;
  const power = (validators ?? []).reduce((sum, { votingPower }) => sum + votingPower, 0n);
  const signed = (validators ?? [])
    .filter(({ address }) => commit?.signers.includes(address))
    .reduce((sum, { votingPower }) => sum + votingPower, 0n);
  const share = (part: bigint): string => formatPercent(shareOf(part, power, 1_000n));
  const columns: readonly Column<Validator>[] = [
    { title: 'Validator', cell: ({ address, moniker }) => <ValidatorLink address={address} name={moniker} /> },
    { title: 'Power', align: 'right', width: '80px', cell: ({ votingPower }) => share(votingPower) },
    {
      title: 'Precommit',
      align: 'right',
      width: '116px',
      cell: ({ address }) =>
        commit?.signers.includes(address) ? <Badge tone="good">signed</Badge> : <Badge>not needed</Badge>,
    },
  ];
  const isGenesis = read !== null && commit === null;
  return (
    <Card
      title="Certificate"
      aside={commit !== null && power > 0n && <span class="muted number">{share(signed)} of the power</span>}
      flush
    >
      {isGenesis ? (
        <Empty title="Genesis has no certificate">It was not decided: it is what everybody began with.</Empty>
      ) : read !== null && validators === null ? (
        <Empty title="The validators of this block are no longer kept by this node" />
      ) : (
        <>
          <Table
            label="Precommits of the validators"
            columns={columns}
            rows={validators}
            keyOf={({ address }) => address}
            expected={4}
            empty={<Empty title="No validators" />}
          />
          <p class="faint foot">
            A certificate holds the first precommits that are more than two thirds of the power. Who came later is not
            in it.
          </p>
        </>
      )}
    </Card>
  );
}
