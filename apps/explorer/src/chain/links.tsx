import { computed } from '@preact/signals';
import type { Address, Hash as HexHash } from '@prime/sdk';
import type { JSX } from 'preact';
import { useHref, useNode } from '../app/context.ts';
import { Hash, type HashProps } from '../kit/index.ts';
import { registeredOf } from '../live/consensus.ts';
import { ofNode } from '../live/ofNode.ts';
import { marketSlug } from '../router/routes.ts';

type AccountLinkProps = Partial<Pick<HashProps, 'chip' | 'copy' | 'whole'>> & { readonly address: Address };

/** An account, which leads to its page. */
export const AccountLink = ({ address, chip = true, ...shown }: AccountLinkProps): JSX.Element => (
  <Hash value={address} href={useHref()({ page: 'address', address })} chip={chip} {...shown} />
);

const monikersOf = ofNode((node) =>
  computed(() => {
    const known = [...(registeredOf(node).value.value ?? []), ...(node.validators.value.value ?? [])];
    return new Map(known.map(({ address, moniker }) => [address, moniker]));
  }),
);

interface ValidatorLinkProps {
  readonly address: Address;
  /** Its moniker; without it that of the validators that are known now. */
  readonly name?: string;
  readonly copy?: boolean;
}

/** A validator by its name, which leads to its page. */
export function ValidatorLink({ address, name, copy = false }: ValidatorLinkProps): JSX.Element {
  const moniker = monikersOf(useNode()).value.get(address);
  return (
    <Hash value={address} name={name ?? moniker} href={useHref()({ page: 'validator', address })} chip copy={copy} />
  );
}

interface TransactionLinkProps {
  readonly hash: HexHash;
  readonly copy?: boolean;
}

/** A transaction or an action, which leads to its page. */
export const TransactionLink = ({ hash, copy = true }: TransactionLinkProps): JSX.Element => (
  <Hash value={hash} href={useHref()({ page: 'transaction', hash })} copy={copy} />
);

/** A market, which leads to its page. */
export const MarketLink = ({ symbol }: { readonly symbol: string }): JSX.Element => (
  <a href={useHref()({ page: 'market', market: marketSlug(symbol) })}>{symbol}</a>
);
