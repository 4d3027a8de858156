import { type ReadonlySignal, signal } from '@preact/signals';
import { type AccountView, type Address, getAccount, type MarginAccount, watchAccount } from '@prime/sdk';
import { coalesce, type RequestFrame } from '../../../live/frames.ts';
import { createPoll, type Poll } from '../../../live/poll.ts';
import type { ExplorerNode } from '../../../node/node.ts';

/** An account as it is followed: its orders, positions and fills by events, its margin as the node reckons it. */
export interface LiveAccount {
  readonly address: Address;
  /** null before the first. */
  readonly view: ReadonlySignal<AccountView | null>;
  readonly margin: Poll<MarginAccount>;
  close(): void;
}

/** The mark moves margin also where nothing of the account changes. */
const marginEveryMs = 3_000;
/** Blocks back whose fills are shown at first. */
const fillBlocks = 5_000n;
/** Fills that are kept. */
const fillsMax = 200;

/** Follows an account until it is closed. Fills of the latest 5000 blocks are there at first. */
export function openAccount(
  { client, streams, chain }: Pick<ExplorerNode, 'client' | 'streams' | 'chain'>,
  address: Address,
  requestFrame: RequestFrame,
): LiveAccount {
  const view = signal<AccountView | null>(null);
  const margin = createPoll(() => getAccount(client.sdk, { address }), marginEveryMs);
  let newest: AccountView | null = null;
  const show = coalesce(requestFrame, () => {
    view.value = newest;
    margin.reload();
  });
  const head = chain.head.peek()?.number;
  const fillsFrom = head === undefined ? undefined : head > fillBlocks ? head - fillBlocks : 1n;
  const close = watchAccount(streams, {
    address,
    fillsMax,
    ...(fillsFrom === undefined ? {} : { fillsFrom }),
    onAccount: (account) => {
      newest = account;
      show();
    },
  });
  return { address, view, margin, close };
}
