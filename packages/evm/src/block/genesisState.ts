import { ordersAddress, stakingAddress } from '@prime/codec';
import type { Genesis, GenesisAccount, RecordWrite } from '@prime/codec';
import { contractWritesPerBlock, primeOrdersCode, quotaSlot, quotaWord } from '@prime/predeploy';
import { type Address, bytesToHash, type Hash, type Height } from '@prime/primitives';
import { predeploys } from './predeploys.ts';
import type { GenesisState } from '../ports.ts';
import { emptyAccount } from '../state/account.ts';
import { bytesOf, trimWord } from '../state/bytes.ts';
import { createFlatSource } from '../state/flatSource.ts';
import { StateOverlay } from '../state/overlay.ts';
import { createStateTrie } from '../state/stateTrie.ts';
import { noWindow } from '../state/trieWindow.ts';
import { emptyTrieRoot } from '../trie/trie.ts';

const slotZero = `0x${'00'.repeat(32)}` as Hash;

/**
 * State before block 1: the predeployed contracts, the allocation, and the order book's account with the orders root.
 *
 * The order book's account has its contract's code whatever the allocation says, and nonce 1 as a contract has. An allocation may
 * give it a balance.
 */
export const genesisState: GenesisState = async (genesis, ordersRoot, stakingRoot) =>
  sealAllocation((overlay) => {
    for (const account of genesisAccounts(genesis)) setAccount(overlay, account);
    const orders = overlay.account(ordersAddress) ?? emptyAccount;
    overlay.setAccount(ordersAddress, { ...orders, nonce: orders.nonce > 0n ? orders.nonce : 1n });
    overlay.setCode(ordersAddress, primeOrdersCode);
    overlay.setSlot(
      ordersAddress,
      quotaSlot,
      trimWord(bytesOf(quotaWord(genesis.clob.contractWritesPerBlock ?? contractWritesPerBlock))),
    );
    overlay.setSlot(ordersAddress, slotZero, trimWord(bytesOf(ordersRoot)));
    if (stakingRoot !== null) setStaking(overlay, genesis.validators, stakingRoot);
  });

/** The stake of the validators of genesis comes with it, beside the allocation. */
function setStaking(overlay: StateOverlay, validators: Genesis['validators'], root: Hash): void {
  const account = overlay.account(stakingAddress) ?? emptyAccount;
  const balance = validators.reduce((sum, { stake }) => sum + stake, account.balance);
  overlay.setAccount(stakingAddress, { ...account, balance, nonce: account.nonce > 0n ? account.nonce : 1n });
  overlay.setSlot(stakingAddress, slotZero, trimWord(bytesOf(root)));
}

/** State of these accounts and nothing else: what tests and tools start from. */
export const allocateState = (accounts: readonly GenesisAccount[]): AllocatedState =>
  sealAllocation((overlay) => {
    for (const account of accounts) setAccount(overlay, account);
  });

/** A state that is made of nothing: its root, and all records that a database has to hold for it. */
export interface AllocatedState {
  readonly stateRoot: Hash;
  readonly writes: readonly RecordWrite[];
}

function genesisAccounts(genesis: Pick<Genesis, 'alloc'>): readonly GenesisAccount[] {
  const contracts = predeploys.map(({ address, code }) => ({ address, balance: 0n, nonce: 1, code, storage: [] }));
  const accounts = new Map<Address, GenesisAccount>();
  for (const account of [...contracts, ...genesis.alloc]) accounts.set(account.address, account);
  return [...accounts.values()];
}

function sealAllocation(fill: (overlay: StateOverlay) => void): AllocatedState {
  const empty = { getSync: () => undefined, entries: async function* () {} };
  const source = createFlatSource(empty);
  const overlay = new StateOverlay(source);
  fill(overlay);
  const trie = createStateTrie({
    database: empty,
    source,
    committedRoot: emptyTrieRoot,
    listsDropped: false,
    window: noWindow,
  });
  const sealed = trie.seal(overlay, new Map(), 0 as Height);
  return { stateRoot: bytesToHash(sealed.stateRoot), writes: sealed.writes };
}

/** Puts one account with its code and storage into an overlay. */
function setAccount(overlay: StateOverlay, account: GenesisAccount): void {
  const { address, balance, nonce, code, storage } = account;
  overlay.setAccount(address, { ...emptyAccount, balance, nonce: BigInt(nonce) });
  if (code.length > 0) overlay.setCode(address, code);
  for (const { slot, value } of storage) overlay.setSlot(address, slot, trimWord(bytesOf(value)));
}
