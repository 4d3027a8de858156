import { type ReadonlySignal, signal } from '@preact/signals';
import type { AccountView, Hash, Market, OrderBookState, Side } from '@prime/sdk';
import type { Memory } from '../../../app/storage.ts';
import type { ExplorerNode } from '../../../node/node.ts';
import { isHash } from '../../../router/routes.ts';
import type { Finding, Prover } from './check.ts';
import type { LevelProof, Lie } from './judge.ts';

type Checked = Extract<Finding, { readonly kind: 'checked' }>;

/** Whether the book is what the validators signed. */
export type ProofState =
  | { readonly kind: 'off' }
  /** Nothing is known yet, and why it takes longer where it does. */
  | { readonly kind: 'waiting'; readonly why: string | null }
  | { readonly kind: 'impossible'; readonly why: string }
  | { readonly kind: 'proven'; readonly checked: Checked }
  | {
      readonly kind: 'wrong';
      readonly why: string;
      readonly checked: Checked | null;
      /** The node is of another network than the one that is trusted: somebody may have begun it anew. */
      readonly isOtherNetwork: boolean;
    };

/** Proves the shown book again and again while it is turned on. */
export interface LiveProof {
  readonly state: ReadonlySignal<ProofState>;
  /** Hash of genesis that is trusted; null before the first check. */
  readonly genesisHash: ReadonlySignal<Hash | null>;
  /** What is said of a line of the book. */
  markOf(side: Side, price: bigint, size: bigint): 'proven' | 'wrong' | null;
  turn(isOn: boolean): void;
  /** Trusts the genesis that the node has now. */
  trustAgain(): void;
  close(): void;
}

/** The book that is proven, and where the trusted genesis is remembered. */
export interface LiveProofOptions {
  readonly node: ExplorerNode;
  readonly market: Market;
  readonly memory: Memory;
  readonly books: () => readonly OrderBookState[];
  readonly account: () => AccountView | null;
  /** Lines of each side that are shown. */
  readonly levels: number;
}

const onKey = 'prime.proof';
/** By the address of the node: whoever answers there later has to be of the same network. */
const genesisKey = (url: string): string => `prime.genesis.${url}`;

/** Between two checks: a proof of each level costs the node more than the book does. */
const pauseMs = 4_000;
const openPauseMs = 1_000;
/** Until streams tell of a block that there is. */
const headMs = 15_000;
/** A block as old as this is no present, whoever signed it. */
const oldMsMin = 60_000;
const intervalsMax = 10;

/** Nothing is proven before it is turned on; the light client is loaded then. */
export function openProof(options: LiveProofOptions): LiveProof {
  const { node, memory } = options;
  const kept = memory.getItem(genesisKey(node.url));
  const genesisHash = signal<Hash | null>(isHash(kept) ? kept : null);
  const state = signal<ProofState>({ kind: 'off' });
  const marks = signal<ReadonlyMap<string, Mark>>(new Map());
  /** Goes up when a loop is to end. */
  let run = 0;

  const loop = async (own: number): Promise<void> => {
    let prover: Prover | null = null;
    while (run === own) {
      const next = await attempt(options, prover, genesisHash.peek());
      if (run !== own) return;
      prover = next.prover;
      if (prover !== null && genesisHash.peek() === null) {
        genesisHash.value = prover.genesisHash;
        memory.setItem(genesisKey(node.url), prover.genesisHash);
      }
      const shown = stateOf(next, state.peek(), staleAfterMs(node));
      if (shown !== null) {
        state.value = shown;
        marks.value = 'checked' in shown && shown.checked !== null ? marksOf(shown.checked) : new Map();
      }
      if (state.peek().kind === 'impossible') return;
      await sleep(next.finding.kind === 'checked' ? pauseMs : openPauseMs);
    }
  };
  const turn = (isOn: boolean): void => {
    run++;
    state.value = isOn ? { kind: 'waiting', why: null } : { kind: 'off' };
    marks.value = new Map();
    if (isOn) {
      memory.setItem(onKey, 'on');
      void loop(run);
    } else memory.removeItem(onKey);
  };
  if (memory.getItem(onKey) === 'on') turn(true);
  return {
    state,
    genesisHash,
    markOf(side, price, size) {
      const mark = marks.value.get(`${side} ${price}`);
      if (mark === undefined) return null;
      if (mark === 'wrong') return 'wrong';
      return mark === size ? 'proven' : null;
    },
    turn,
    trustAgain() {
      memory.removeItem(genesisKey(node.url));
      genesisHash.value = null;
      turn(true);
    },
    close() {
      run++;
    },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const staleAfterMs = ({ network }: ExplorerNode): number =>
  Math.max(oldMsMin, intervalsMax * (network.peek()?.emptyBlockIntervalMs ?? 0));

interface Attempt {
  readonly finding: Finding;
  readonly isOtherNetwork: boolean;
  readonly prover: Prover | null;
}

/** One check. Nothing is thrown: what goes wrong is a finding. */
async function attempt(options: LiveProofOptions, known: Prover | null, genesisHash: Hash | null): Promise<Attempt> {
  const open = (why: string): Attempt => ({ finding: { kind: 'open', why }, isOtherNetwork: false, prover: known });
  const module = await import('./check.ts').catch(() => null);
  if (module === null) return open('What verifies could not be loaded. Reload the window.');
  const { node, market, levels, books, account } = options;
  try {
    const prover =
      known ??
      (await module.createProver({
        client: node.client.sdk,
        market,
        genesisHash,
        levels,
        books,
        account,
        awaitHead: (blockNumber) => awaitHead(node, blockNumber),
      }));
    return { finding: await prover.check(), isOtherNetwork: false, prover };
  } catch (error) {
    if (!module.isOtherNetwork(error)) return open('The node did not answer. Trying again.');
    const why = 'This node has another genesis than at your first visit: it is of another network, or was begun anew.';
    return { finding: { kind: 'refused', why }, isOtherNetwork: true, prover: null };
  }
}

function awaitHead({ chain }: ExplorerNode, blockNumber: bigint): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), headMs);
    const stop = chain.head.subscribe((head) => {
      if (head !== null && head.number >= blockNumber) queueMicrotask(() => end(true));
    });
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      stop();
      resolve(isThere);
    };
  });
}

type Mark = bigint | 'wrong';

function marksOf({ proofs, judgement }: Checked): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const { side, price, size } of proofs as readonly LevelProof[]) marks.set(`${side} ${price}`, size);
  for (const { side, price } of judgement.lies) if (price !== null) marks.set(`${side} ${price}`, 'wrong');
  return marks;
}

/** What is shown after a check; null leaves what is shown. */
function stateOf({ finding, isOtherNetwork }: Attempt, before: ProofState, oldMs: number): ProofState | null {
  switch (finding.kind) {
    case 'impossible':
      return { kind: 'impossible', why: finding.why };
    case 'refused':
      return { kind: 'wrong', why: finding.why, checked: null, isOtherNetwork };
    case 'open':
      return before.kind === 'waiting' ? { kind: 'waiting', why: finding.why } : null;
    case 'checked': {
      const wrong = (why: string): ProofState => ({ kind: 'wrong', why, checked: finding, isOtherNetwork: false });
      const { lies } = finding.judgement;
      if (lies.length > 0) return wrong(liesText(lies));
      if (finding.isAccountRight === false)
        return wrong('Your account is shown with other amounts than the validators signed.');
      if (Date.now() - finding.timestampMs > oldMs)
        return wrong('The newest block that the node proves is old: it shows the past as if it were the present.');
      return { kind: 'proven', checked: finding };
    }
  }
}

function liesText(lies: readonly Lie[]): string {
  const isHidden = lies.some(({ what }) => what === 'hidden');
  const isOther = lies.some(({ what }) => what === 'size');
  if (isHidden && isOther) return 'The node shows sizes that nobody signed, and hides levels.';
  return isHidden ? 'The node hides a price level.' : 'The node shows a size that nobody signed.';
}
