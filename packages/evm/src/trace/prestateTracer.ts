import { encodeRlp, type PrestateTracerSettings } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { type Address, bytesEqual, bytesToAddress, bytesToHex, concatBytes, type Hash } from '@prime/primitives';
import { delegationOf } from '../read/authorizations.ts';
import { emptyAccount } from '../state/account.ts';
import { bytesOf, wordKey, wordOf } from '../state/bytes.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { TraceBudget } from './budget.ts';
import {
  addressOfWord,
  type FrameStart,
  hashOfWord,
  type OpcodeStep,
  type TracedTransaction,
  type Tracer,
} from './hooks.ts';

interface Account {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  readonly storage: Map<Hash, Hash>;
}

/** How an account is shown; what is zero or empty is left out. */
interface ShownAccount {
  readonly balance?: string;
  readonly nonce?: number;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

const zeroWord = `0x${'0'.repeat(64)}` as Hash;
const accountCharacters = 160;
const slotCharacters = 140;
const opcodes = { sload: 0x54, sstore: 0x55, create: 0xf0, create2: 0xf5, selfdestruct: 0xff } as const;
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT */
const namesAccountOnTop: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, opcodes.selfdestruct]);
const calls: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/**
 * The state that a transaction needs: every account and slot that it touches, as they were before it; in diff mode what it changed.
 *
 * @see geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers, "Prestate tracer"
 */
export class PrestateTracer implements Tracer {
  readonly wantsOpcodes = true;
  private readonly config: PrestateTracerSettings;
  private readonly budget: TraceBudget;
  private readonly before = new Map<Address, Account>();
  private readonly created = new Set<Address>();
  private readonly destroyed = new Set<Address>();
  private state: StateOverlay | null = null;
  private answer = '{}';

  constructor(config: PrestateTracerSettings, budget: TraceBudget) {
    this.config = config;
    this.budget = budget;
  }

  start({ from, to, nonce, coinbase, authorities }: TracedTransaction, state: StateOverlay): void {
    this.state = state;
    const target = to ?? createAddress(from, nonce);
    if (to === null) this.created.add(target);
    for (const address of [from, target, coinbase, ...authorities]) this.touchAccount(address);
  }

  /** Not at the instruction: a transaction may delegate before it calls. */
  enter({ kind, to }: FrameStart): void {
    if (to === null || kind === 'SELFDESTRUCT') return;
    const delegated = delegationOf(this.overlay.code(to));
    if (delegated !== null) this.touchAccount(delegated);
  }

  opcode(step: OpcodeStep): void {
    const { opcode, stackLength } = step;
    if (step.cost > step.gas) return;
    if (opcode === opcodes.sload || opcode === opcodes.sstore) {
      if (stackLength >= 1) this.touchSlot(step.address, hashOfWord(step.peek(0)));
    } else if (namesAccountOnTop.has(opcode)) {
      if (stackLength >= 1) this.touchAccount(addressOfWord(step.peek(0)));
      // Only what the same transaction created is deleted (EIP-6780).
      if (opcode === opcodes.selfdestruct && this.created.has(step.address)) this.destroyed.add(step.address);
    } else if (calls.has(opcode)) {
      if (stackLength >= 5) this.touchAccount(addressOfWord(step.peek(1)));
    } else if (opcode === opcodes.create) this.touchCreated(createAddress(step.address, this.nonceOf(step.address)));
    else if (opcode === opcodes.create2 && stackLength >= 4) this.touchCreated(create2Address(step));
  }

  end(): void {
    this.answer = this.config.diffMode ? this.difference() : JSON.stringify(this.shownBefore(this.before.keys()));
  }

  result(): string {
    return this.answer;
  }

  private get overlay(): StateOverlay {
    if (this.state === null) throw new TypeError('a tracer was used before its transaction started');
    return this.state;
  }

  private nonceOf(address: Address): bigint {
    return (this.overlay.account(address) ?? emptyAccount).nonce;
  }

  private touchCreated(address: Address): void {
    this.touchAccount(address);
    this.created.add(address);
  }

  private touchAccount(address: Address): void {
    if (this.before.has(address)) return;
    const { balance, nonce } = this.overlay.account(address) ?? emptyAccount;
    const code = this.overlay.code(address);
    this.budget.spend(accountCharacters + (this.config.disableCode ? 0 : code.length * 2));
    this.before.set(address, { balance, nonce, code, storage: new Map() });
  }

  private touchSlot(address: Address, slot: Hash): void {
    if (this.config.disableStorage) return;
    this.touchAccount(address);
    const { storage } = this.before.get(address)!;
    if (storage.has(slot)) return;
    this.budget.spend(slotCharacters);
    storage.set(slot, this.wordAt(address, slot));
  }

  private wordAt(address: Address, slot: Hash): Hash {
    const value = this.overlay.slot(address, slot);
    const word = new Uint8Array(32);
    word.set(value, 32 - value.length);
    return wordKey(word);
  }

  private shownBefore(addresses: Iterable<Address>): Record<Address, ShownAccount> {
    const shown: Record<Address, ShownAccount> = {};
    for (const address of addresses) {
      const account = this.before.get(address)!;
      if (isEmpty(account) && !this.config.includeEmpty) continue;
      shown[address] = this.show(account);
    }
    return shown;
  }

  private show({ balance, nonce, code, storage }: Partial<Account>): ShownAccount {
    return {
      ...(balance === undefined ? {} : { balance: `0x${balance.toString(16)}` }),
      ...(code === undefined || code.length === 0 || this.config.disableCode ? {} : { code: bytesToHex(code) }),
      ...(nonce === undefined || nonce === 0n ? {} : { nonce: Number(nonce) }),
      ...(storage === undefined || storage.size === 0 ? {} : { storage: Object.fromEntries(storage) }),
    };
  }

  private difference(): string {
    const post: Record<Address, ShownAccount> = {};
    const changed: Address[] = [];
    for (const [address, account] of this.before) {
      // What is gone afterwards stands in `pre` alone.
      if (this.destroyed.has(address)) {
        changed.push(address);
        continue;
      }
      const after = this.after(address, account);
      if (after === null) continue;
      changed.push(address);
      post[address] = this.show(after);
      this.budget.spend(accountCharacters + (after.code?.length ?? 0) * 2);
    }
    return JSON.stringify({ post, pre: this.shownBefore(changed) });
  }

  /** What is different now, or null; slots that are not different leave `before`, too. */
  private after(address: Address, before: Account): Partial<Account> | null {
    const { balance, nonce } = this.overlay.account(address) ?? emptyAccount;
    const code = this.overlay.code(address);
    const storage = new Map<Hash, Hash>();
    let modified = balance !== before.balance || nonce !== before.nonce || !bytesEqual(code, before.code);
    for (const [slot, value] of before.storage) {
      const now = this.wordAt(address, slot);
      if (value === zeroWord || value === now) before.storage.delete(slot);
      if (value === now) continue;
      modified = true;
      if (now !== zeroWord) storage.set(slot, now);
    }
    if (!modified) return null;
    return {
      ...(balance === before.balance ? {} : { balance }),
      ...(nonce === before.nonce ? {} : { nonce }),
      ...(bytesEqual(code, before.code) ? {} : { code }),
      storage,
    };
  }
}

const isEmpty = ({ balance, nonce, code }: Account): boolean => balance === 0n && nonce === 0n && code.length === 0;

/** Address of the contract that an account creates with a nonce. */
export const createAddress = (from: Address, nonce: bigint): Address =>
  bytesToAddress(keccak256(encodeRlp([bytesOf(from), nonce])).subarray(12));

/** EIP-1014 */
function create2Address(step: OpcodeStep): Address {
  const [offset, size, salt] = [step.peek(1), step.peek(2), step.peek(3)];
  const code = new Uint8Array(Number(size));
  const memory = step.memory();
  if (offset < BigInt(memory.length)) code.set(memory.subarray(Number(offset), Number(offset + size)));
  const input = concatBytes(Uint8Array.of(0xff), bytesOf(step.address), wordOf(salt), keccak256(code));
  return bytesToAddress(keccak256(input).subarray(12));
}
