/** All that verifies, and with it the light client: loaded when somebody asks for it. */
import {
  type Address,
  type AccountView,
  getGenesis,
  getOrdersProof,
  type Hash,
  type Market,
  type OrderBookState,
  type PrimeClient,
  type Side,
} from '@prime/sdk';
import {
  createLightClient,
  type Genesis,
  type LightClient,
  LightClientError,
  trustGenesis,
  verifyRecord,
} from '@prime/sdk/light';
import { judgeBook, type Judgement, type LevelProof } from './judge.ts';

/** The book that is checked, and what is trusted. */
export interface ProverOptions {
  readonly client: PrimeClient;
  readonly market: Market;
  /** Hash of genesis that is trusted; null trusts that of the node, as on a first visit. */
  readonly genesisHash: Hash | null;
  /** Levels of each side that are proven. */
  readonly levels: number;
  /** Books of the latest blocks that changed them, oldest first. */
  readonly books: () => readonly OrderBookState[];
  /** The account that is shown, where one is: it is proven with the book. */
  readonly account: () => AccountView | null;
  /** Settles once the streams have told of a block, so that a book that it changed is among the books; false when they do not in time. */
  readonly awaitHead: (blockNumber: bigint) => Promise<boolean>;
}

/** What one check found. */
export type Finding =
  | {
      readonly kind: 'checked';
      /** Block after which the book was so. */
      readonly blockNumber: bigint;
      readonly timestampMs: number;
      readonly power: { readonly signed: bigint; readonly total: bigint };
      readonly judgement: Judgement;
      readonly proofs: readonly LevelProof[];
      /** null where no account is shown, or it changed meanwhile. */
      readonly isAccountRight: boolean | null;
    }
  /** The node shows something that nobody signed. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Nothing can be said now; the next check may. */
  | { readonly kind: 'open'; readonly why: string }
  /** Nothing can be said on this network. */
  | { readonly kind: 'impossible'; readonly why: string };

/**
 * Checks what the page shows against what validators signed, with a light client that goes on from check to check.
 */
export interface Prover {
  readonly genesisHash: Hash;
  check(): Promise<Finding>;
}

/** Reads genesis of the node and begins to trust it, or refuses it. @throws LightClientError wrong_network; as `getGenesis` */
export async function createProver(options: ProverOptions): Promise<Prover> {
  const { client, genesisHash } = options;
  const genesis = (await getGenesis(client)) as Genesis;
  const trust = trustGenesis(genesis, genesisHash === null ? {} : { hash: genesisHash });
  const light = createLightClient({ client, root: trust });
  return {
    genesisHash: trust.genesisHash,
    check: () =>
      trust.levelProofs
        ? checkBook(options, light).catch(findingOf)
        : Promise.resolve({
            kind: 'impossible',
            why: 'This network keeps no price levels in its state: its genesis has no clob.levelProofs. There is nothing to compare the book with.',
          }),
  };
}

/** A node that proves an older block than it has shown may be one of several behind one address that is a moment late. */
const staleTries = 8;
const pauseMs = 250;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Fetched = readonly {
  readonly side: Side;
  readonly price: bigint;
  readonly proof: Awaited<ReturnType<typeof getOrdersProof>>;
}[];

async function checkBook(options: ProverOptions, light: LightClient): Promise<Finding> {
  const { market, awaitHead, books, levels } = options;
  for (let tries = 0; tries < staleTries; tries++) {
    if (tries > 0) await sleep(pauseMs);
    const book = books().at(-1);
    if (book === undefined) return { kind: 'open', why: 'The order book is not there yet.' };
    // Asked in one turn they are one request: blocks may come quicker than answers.
    const [fetched, account] = await Promise.all([fetchProofs(options, book), fetchAccount(options)]);
    if (fetched.length === 0) return { kind: 'open', why: 'The book is empty: there is nothing to prove.' };
    const blockNumber = fetched[0]!.proof.blockNumber;
    const isOne = fetched.every(({ proof }) => proof.blockNumber === blockNumber);
    if (!isOne || blockNumber < book.blockNumber) {
      if (tries === staleTries - 1 && isOne) return stale(blockNumber, book.blockNumber);
      continue;
    }
    // The book is told all the same where the account never comes of its block.
    if (account !== null && account.blockNumber !== blockNumber && tries < staleTries - 1) continue;
    const block = await light.verifyBlock({ blockNumber: blockNumber + 1n });
    const proofs = fetched.map(({ side, price, proof }): LevelProof => {
      const shown = verifyRecord(block, { record: { market, side, price }, proof });
      return { side, price, size: shown.record?.size ?? 0n, way: proof.steps };
    });
    if (!(await awaitHead(blockNumber + 1n))) return { kind: 'open', why: 'The streams are behind; waiting for them.' };
    const then = books().findLast((one) => one.blockNumber <= blockNumber);
    if (then === undefined) continue;
    const judgement = judgeBook(market.marketId, then, proofs, levels);
    const { timestampMs, power } = block;
    const isAccountRight = account?.isRight(block) ?? null;
    return { kind: 'checked', blockNumber, timestampMs, power, judgement, proofs, isAccountRight };
  }
  return { kind: 'open', why: 'Blocks come quicker than proofs of all levels. Trying again.' };
}

const stale = (proven: bigint, shown: bigint): Finding => ({
  kind: 'refused',
  why: `The node shows the book of block ${shown} and proves an older one, ${proven}.`,
});

/** Of the levels that are shown, all in one request, so that most come of one block. */
function fetchProofs({ client, market, levels }: ProverOptions, { bids, asks }: OrderBookState): Promise<Fetched> {
  const wanted = [
    ...bids.slice(0, levels).map(({ price }) => ({ side: 'buy' as const, price })),
    ...asks.slice(0, levels).map(({ price }) => ({ side: 'sell' as const, price })),
  ];
  return Promise.all(
    wanted.map(async ({ side, price }) => ({
      side,
      price,
      proof: await getOrdersProof(client, { market, side, price }),
    })),
  );
}

type VerifiedBlock = Awaited<ReturnType<LightClient['verifyBlock']>>;

/** Proof of the account that is shown. */
interface AccountProof {
  /** Block after which it is so. */
  readonly blockNumber: bigint;
  /** Compares what is shown with it; null where that can not be said. */
  readonly isRight: (block: VerifiedBlock) => boolean | null;
}

/** @returns null where no account is shown */
async function fetchAccount({ client, account }: ProverOptions): Promise<AccountProof | null> {
  const before = account();
  if (before === null || before.status !== 'sure') return null;
  const { address } = before;
  const proof = await getOrdersProof(client, { address });
  const isRight = (block: VerifiedBlock): boolean | null => {
    const now = account();
    const isSame =
      now !== null && now.collateral === before.collateral && now.positions.length === before.positions.length;
    // Another block than that of the book, or an account that changed meanwhile: the next check tells.
    if (
      proof.blockNumber !== block.number - 1n ||
      !isSame ||
      now.positions.some((one, at) => one.size !== before.positions[at]!.size)
    )
      return null;
    return isAccount(address, now, verifyRecord(block, { record: { address }, proof }).record);
  };
  return { blockNumber: proof.blockNumber, isRight };
}

interface ProvenAccount {
  readonly collateral: bigint;
  readonly positions: readonly { readonly marketId: number; readonly size: bigint; readonly entry: bigint }[];
}

/** Collateral and positions are those of the record; an account without a record has nothing. */
function isAccount(address: Address, view: AccountView, record: ProvenAccount | null): boolean {
  if (view.address !== address) return false;
  const text = (positions: ProvenAccount['positions']): string =>
    positions.map(({ marketId, size, entry }) => `${marketId}:${size}:${entry}`).join();
  return view.collateral === (record?.collateral ?? 0n) && text(view.positions) === text(record?.positions ?? []);
}

/** An error of the light client is a lie, but where it only says that something is not there yet. */
function findingOf(error: unknown): Finding {
  if (!(error instanceof LightClientError)) return { kind: 'open', why: 'The node does not answer. Trying again.' };
  switch (error.kind) {
    case 'block_missing':
      return { kind: 'open', why: 'A proof waits for the next block.' };
    case 'levels_not_provable':
      return { kind: 'impossible', why: error.shortMessage };
    case 'trust_expired':
      return {
        kind: 'impossible',
        why: 'Genesis is longer ago than validators answer for what they signed: a newer block would have to be trusted.',
      };
    default:
      return { kind: 'refused', why: error.shortMessage };
  }
}

/** Whether the node is of another network than the one that is trusted. */
export const isOtherNetwork = (error: unknown): boolean =>
  error instanceof LightClientError && error.kind === 'wrong_network';
