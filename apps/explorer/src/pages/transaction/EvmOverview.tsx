import { ordersAddress } from '@prime/codec';
import { coin } from '@prime/sdk/explain';
import type { ComponentChildren, JSX } from 'preact';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { GasUsed } from '../../chain/GasUsed.tsx';
import { AccountLink } from '../../chain/links.tsx';
import {
  Amount,
  Badge,
  formatDecimal,
  formatInteger,
  formatWei,
  Hash,
  KeyCard,
  type KeyEntry,
  ofKnown,
  orNone,
  TimeAndMoment,
} from '../../kit/index.ts';
import type { FinalTransaction, TransactionProps, WireTransaction } from './readTransaction.ts';

const gweiDecimals = 9;
const gwei = (wei: bigint): string => `${formatDecimal(formatWei(wei, gweiDecimals), { digitsMax: 9 })} gwei`;

/** Who sent what to whom, where it stands, and what it cost. */
export function EvmOverview({ transaction, final }: TransactionProps): JSX.Element {
  const { from, nonce, value } = transaction;
  const entries: readonly KeyEntry[] = [
    ...placeEntries(transaction, final),
    { name: 'From', value: <Account address={from} /> },
    { name: 'To', value: <Recipient {...{ transaction, final }} /> },
    { name: 'Value', value: <Amount wei={BigInt(value)} unit={coin} digitsMax={18} /> },
    { name: 'Fee', value: <Fee {...{ transaction, final }} /> },
    { name: 'Gas', value: <Gas {...{ transaction, final }} /> },
    { name: 'Nonce', value: <span class="number">{formatInteger(BigInt(nonce))}</span> },
    { name: 'Type', value: typeNames[Number(transaction.type)] ?? transaction.type },
  ];
  return <KeyCard title="Overview" entries={entries} />;
}

const typeNames: Readonly<Record<number, string>> = {
  0: 'legacy',
  1: 'with an access list (EIP-2930)',
  2: 'with a fee market (EIP-1559)',
  4: 'sets code of accounts (EIP-7702)',
};

/** Hash, block and time. */
export function placeEntries({ hash }: WireTransaction, final: FinalTransaction | null): readonly KeyEntry[] {
  return [
    { name: 'Hash', value: <Hash value={hash} whole /> },
    { name: 'Block', value: orNone(final, 'none yet', (known) => <Place final={known} />) },
    {
      name: 'Decided',
      absent: final?.block == null,
      value: ofKnown(final?.block, ({ timestampMs }) => <TimeAndMoment timestampMs={timestampMs} />),
    },
  ];
}

function Place({ final: { transaction } }: { readonly final: FinalTransaction }): JSX.Element {
  const number = BigInt(transaction.blockNumber!);
  return (
    <span class="row">
      <BlockLink number={number} />
      <span class="faint number">place {formatInteger(BigInt(transaction.transactionIndex ?? '0x0') + 1n)} in it</span>
    </span>
  );
}

interface AccountProps {
  readonly address: `0x${string}`;
  readonly children?: ComponentChildren;
}

/** An account with the way to its page. */
export function Account({ address, children }: AccountProps): JSX.Element {
  return (
    <span class="row">
      <AccountLink address={address} whole />
      {children}
    </span>
  );
}

function Recipient({ transaction: { to }, final }: TransactionProps): JSX.Element {
  if (to !== null) return <Account address={to}>{to === ordersAddress && <Badge>order book</Badge>}</Account>;
  const made = final?.receipt.contractAddress ?? null;
  return made === null ? (
    <Badge>makes a contract</Badge>
  ) : (
    <Account address={made}>
      <Badge tone="accent">made by it</Badge>
    </Account>
  );
}

function Fee({ transaction, final }: TransactionProps): JSX.Element {
  if (final === null) {
    const most = BigInt(transaction.gas) * BigInt(transaction.maxFeePerGas ?? transaction.gasPrice);
    return (
      <>
        <span class="faint">at most</span> <Amount wei={most} unit={coin} digitsMax={9} />
      </>
    );
  }
  const { gasUsed, effectiveGasPrice } = final.receipt;
  const price = BigInt(effectiveGasPrice);
  const base = final.block?.baseFee ?? null;
  return (
    <>
      <Amount wei={BigInt(gasUsed) * price} unit={coin} digitsMax={12} />{' '}
      <span class="faint">
        at {gwei(price)} per gas{base !== null && base <= price && `, of which ${gwei(base)} is the base fee`}
      </span>
    </>
  );
}

function Gas({ transaction, final }: TransactionProps): JSX.Element {
  const limit = BigInt(transaction.gas);
  return final === null ? (
    <span class="number">up to {formatInteger(limit)}</span>
  ) : (
    <GasUsed used={BigInt(final.receipt.gasUsed)} limit={limit} />
  );
}
