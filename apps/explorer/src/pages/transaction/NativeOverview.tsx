import type { JSX } from 'preact';
import { useMarkets } from '../../app/useMarkets.ts';
import { describeAction } from '../../chain/action.ts';
import { KeyCard, type KeyEntry, Until } from '../../kit/index.ts';
import { Account, placeEntries } from './EvmOverview.tsx';
import type { TransactionProps } from './readTransaction.ts';

const signatureWords: Readonly<Record<string, string>> = {
  raw: 'by the account or one of its agents',
  eip712: 'in a wallet, as typed data (EIP-712)',
  gateway: 'by a node, for a call without a signature',
};

/** An action of the exchange: for whom, what, and how it was signed. */
export function NativeOverview({ transaction, final }: TransactionProps): JSX.Element {
  const markets = useMarkets();
  const { type, words } = describeAction(transaction.input, markets);
  const { signatureKind = '', expiresAt = '0x0', nonce } = transaction;
  const entries: readonly KeyEntry[] = [
    ...placeEntries(transaction, final),
    { name: 'Account', value: <Account address={transaction.from} /> },
    {
      name: 'Action',
      value: (
        <>
          <strong>{type ?? 'unknown'}</strong> <span class="muted">{words}</span>
        </>
      ),
    },
    { name: 'Signed', value: signatureWords[signatureKind] ?? signatureKind },
    { name: 'Good until', value: <Until ms={Number(expiresAt)} /> },
    { name: 'Nonce', value: <span class="number">{BigInt(nonce).toString()}</span> },
    { name: 'Fee', value: <span class="faint">none: actions of the exchange cost no gas</span> },
  ];
  return <KeyCard title="Overview" entries={entries} />;
}
