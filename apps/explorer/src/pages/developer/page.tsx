import './developer.css';
import type { JSX } from 'preact';
import { PageHead } from '../../kit/index.ts';
import { AddToWallet, ChainData } from './ChainData.tsx';
import { Funds } from './Funds.tsx';
import { Requests } from './Requests.tsx';
import { TryMethod } from './TryMethod.tsx';

/** What somebody needs who builds on the network. */
export function Page(): JSX.Element {
  return (
    <div class="stack">
      <PageHead title="Developer" kind="To build on this network" />
      <div class="columns even">
        <div class="stack">
          <ChainData />
          <AddToWallet />
        </div>
        <div class="stack">
          <Funds />
        </div>
      </div>
      <TryMethod />
      <Requests />
    </div>
  );
}
