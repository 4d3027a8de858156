import { type ReadonlySignal, signal } from '@preact/signals';
import type { Address } from '@prime/sdk';
import type { Memory } from '../app/storage.ts';
import type { NetworkFacts } from '../node/network.ts';
import type { ExplorerNode } from '../node/node.ts';
import { forgetAgent, type Identity, recall, remember, storeAgent, storedAgent } from './identity.ts';
import { type AnnouncedWallet, walletsAround } from './providers.ts';
import { isAddress } from '../router/routes.ts';
import { openTrader, type Trader } from './trader.ts';

/** Who somebody trades as on the network of a node, for as long as the page reads it. */
export interface WalletSession {
  /** null while nobody is. */
  readonly identity: ReadonlySignal<Identity | null>;
  readonly wallets: ReadonlySignal<readonly AnnouncedWallet[]>;
  /** Accounts that everybody may use here: none where actions have to be signed. */
  readonly testAccounts: ReadonlySignal<readonly Address[]>;
  useTestAccount(address: Address): void;
  /** Asks the wallet for an account. @throws what the wallet throws */
  connect(wallet: AnnouncedWallet): Promise<void>;
  /** From a wallet to an agent key that this page keeps. @throws what the wallet or the SDK throws */
  startAgent(): Promise<void>;
  /** Deletes the agent key; where its wallet is here it takes the permission back first. @throws what the wallet or the SDK throws; the key is gone all the same */
  endAgent(): Promise<void>;
  /** Nobody any more. */
  leave(): void;
  /** Loads what signs, where that is not loaded yet. @throws Error where nobody is connected */
  trader(): Promise<Trader>;
}

const accountsOf = (answer: unknown): readonly Address[] =>
  (Array.isArray(answer) ? answer : [])
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.toLowerCase())
    .filter(isAddress);

const loadSigning = () => import('./signing.ts');

const sessions = new WeakMap<ExplorerNode, WalletSession>();

/** The one session of a node, once it is known which network that is. */
export function sessionOf(node: ExplorerNode, network: NetworkFacts, memory: Memory): WalletSession {
  const known = sessions.get(node);
  if (known !== undefined) return known;
  const created = createSession(node, network, memory);
  sessions.set(node, created);
  return created;
}

function createSession({ client }: ExplorerNode, network: NetworkFacts, memory: Memory): WalletSession {
  const wallets = walletsAround();
  const identity = signal<Identity | null>(null);
  const testAccounts = signal<readonly Address[]>([]);
  const become = (next: Identity | null): void => {
    identity.value = next;
    remember(memory, network, next);
  };
  const partsOf = (wallet: AnnouncedWallet, address: Address) => ({
    node: client,
    network,
    provider: wallet.provider,
    address,
  });
  if (network.isTest && network.hasOpenActions)
    client.request({ method: 'eth_accounts' }).then(
      (answer) => {
        testAccounts.value = accountsOf(answer);
      },
      // A node without them has none to offer.
      () => undefined,
    );
  restore({ memory, network, wallets, identity, become });
  return {
    identity,
    wallets,
    testAccounts,
    useTestAccount: (address) => become({ kind: 'test', address }),
    async connect(wallet) {
      const [address] = accountsOf(await wallet.provider.request({ method: 'eth_requestAccounts' }));
      if (address === undefined) throw new Error('The wallet showed no account.');
      become({ kind: 'wallet', address, wallet });
      followAccounts(wallet, identity, become);
    },
    async startAgent() {
      const now = identity.value;
      if (now?.kind !== 'wallet') throw new Error('An agent key is allowed by a wallet: connect one first.');
      const { createAgent } = await loadSigning();
      const agent = await createAgent(partsOf(now.wallet, now.address));
      storeAgent(memory, network, agent);
      become({ kind: 'agent', address: agent.owner, agent });
    },
    async endAgent() {
      const now = identity.value;
      if (now?.kind !== 'agent') return;
      forgetAgent(memory, network);
      become(null);
      await revoke(now.agent.address, now.address, wallets.value, partsOf);
    },
    leave: () => become(null),
    async trader() {
      const now = identity.value;
      if (now === null) throw new Error('Nobody is connected.');
      if (now.kind === 'test') return openTrader(client.sdk, now.address);
      const { agentTrader, walletTrader } = await loadSigning();
      return now.kind === 'agent'
        ? agentTrader(client, network, now.agent)
        : walletTrader(partsOf(now.wallet, now.address));
    },
  };
}

/** Whoever chooses another account in the wallet is that one here, too. */
function followAccounts(
  wallet: AnnouncedWallet,
  identity: { peek(): Identity | null },
  become: (next: Identity | null) => void,
): void {
  wallet.provider.on?.('accountsChanged', (accounts) => {
    const now = identity.peek();
    if (now?.kind !== 'wallet' || now.wallet.uuid !== wallet.uuid) return;
    const [address] = accountsOf(accounts);
    become(address === undefined ? null : { kind: 'wallet', address, wallet });
  });
}

type Parts = Parameters<Awaited<ReturnType<typeof loadSigning>>['endAgent']>[0];

/** In the wallet that has the account of the agent; nothing where none does, since the agent ends by itself. */
async function revoke(
  agent: Address,
  owner: Address,
  wallets: readonly AnnouncedWallet[],
  partsOf: (wallet: AnnouncedWallet, address: Address) => Parts,
): Promise<void> {
  for (const wallet of wallets) {
    const accounts = accountsOf(await wallet.provider.request({ method: 'eth_accounts' }));
    if (!accounts.includes(owner)) continue;
    const { endAgent } = await loadSigning();
    return endAgent(partsOf(wallet, owner), agent);
  }
}

interface RestoreParts {
  readonly memory: Memory;
  readonly network: NetworkFacts;
  readonly wallets: ReadonlySignal<readonly AnnouncedWallet[]>;
  readonly identity: { value: Identity | null; peek(): Identity | null };
  readonly become: (next: Identity | null) => void;
}

/** Goes on as whoever it was at the last visit. No wallet is opened for it. */
function restore({ memory, network, wallets, identity, become }: RestoreParts): void {
  const kept = recall(memory, network);
  if (kept?.kind === 'test') identity.value = kept;
  if (kept?.kind === 'agent') {
    const agent = storedAgent(memory, network);
    if (agent !== null && agent.validUntilMs > Date.now())
      identity.value = { kind: 'agent', address: agent.owner, agent };
  }
  if (kept?.kind !== 'wallet') return;
  const end = wallets.subscribe((around) => {
    const wallet = around.find(({ rdns }) => rdns === kept.rdns);
    if (wallet === undefined) return;
    queueMicrotask(() => end());
    wallet.provider.request({ method: 'eth_accounts' }).then(
      (answer) => {
        if (identity.value !== null || !accountsOf(answer).includes(kept.address)) return;
        identity.value = { kind: 'wallet', address: kept.address, wallet };
        followAccounts(wallet, identity, become);
      },
      () => undefined,
    );
  });
}
