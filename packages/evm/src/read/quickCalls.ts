import type { Block } from '@ethereumjs/block';
import { Account, type Address as LibraryAddress } from '@ethereumjs/util';
import type { VM } from '@ethereumjs/vm';
import type { CallMessage } from '@prime/codec';
import { type Address, bytesEqual, type Hash, zeroAddress } from '@prime/primitives';
import { libraryAddress } from '../block/environment.ts';
import { QuickRunner } from '../interpreter/atOnce.ts';
import type { Slots } from '../interpreter/frame.ts';
import { bytesToWord, wordToBytes } from '../interpreter/words.ts';
import { type AccountRecord, hasCode, isDelegation } from '../state/account.ts';
import { wordKey } from '../state/bytes.ts';
import type { SlotReader, TrieSource } from '../state/trieSource.ts';
import { type Execution, gasOf, refuse, spentBy } from './execution.ts';
import type { Fees } from './message.ts';

/**
 * Calls that come to their end within the turn that asks for them: the code of one contract that only reads.
 *
 * What surrounds the run of such code in {@link executeMessage} (an overlay, a journal, the library's message and interpreter) takes several
 * times as long as the code of most calls. Here a contract is taken apart once, and all that the rest is needed for ends the attempt.
 */
export interface QuickCalls {
  /**
   * @param message without value, authorizations and overrides
   * @returns null when it did not come to its end
   * @throws what the guard throws, and what goes wrong in the database
   */
  execute(message: CallMessage, at: QuickContext): Execution | null;
}

interface QuickContext {
  readonly source: TrieSource;
  readonly fees: Fees;
  readonly block: () => Block;
  readonly gasLimit: bigint;
  /** Gas that the code may spend, whatever the limit is. */
  readonly gasBudget: number;
}

/** Contracts that are kept taken apart, */
const contractsMax = 256;
/** and slots of each: those that every call reads. More would only live long enough to trouble the collector of memory. */
const slotsMax = 512;

/** A contract as calls find it; with another state it is looked up again, and keeps its slots if they are the same. */
interface Contract {
  source: TrieSource;
  record: AccountRecord;
  readonly address: LibraryAddress;
  readonly code: Uint8Array;
  readonly slots: ContractSlots;
}

/** @param guard throws when the time of a call is over */
export function createQuickCalls(vm: VM, guard: () => void): QuickCalls {
  const runner = new QuickRunner(vm, guard);
  const contracts = new Map<Address, Contract>();
  const contractAt = (address: Address, source: TrieSource): Contract | null => {
    const known = contracts.get(address);
    if (known?.source === source) return known;
    const record = source.account(address);
    if (record === null || !hasCode(record)) return null;
    if (known !== undefined && isSameContract(known.record, record)) {
      known.source = source;
      known.record = record;
      known.slots.reader = source.slots(address);
      return known;
    }
    const code = source.code(wordKey(record.codeHash));
    if (isDelegation(code)) return null;
    const slots = new ContractSlots(source.slots(address));
    const contract = { source, record, address: libraryAddress(address), code, slots };
    if (contracts.size >= contractsMax) contracts.clear();
    contracts.set(address, contract);
    return contract;
  };

  return {
    execute(message, { source, fees, block, gasLimit, gasBudget }) {
      const { to, from, data } = message;
      // What the sender pays would show in the balance of the contract.
      if (to === null || to === (from ?? zeroAddress) || vm.evm.precompiles.has(to.slice(2))) return null;
      const contract = contractAt(to, source);
      if (contract === null) return null;
      const gas = gasOf(message);
      const refusal = refuse(source, message, { fees, gasLimit, gas });
      if (refusal !== null) return refusal;
      const { address, code, slots, record } = contract;
      slots.warm(message);
      const caller = from === null ? zeroCaller : libraryAddress(from);
      const account = () => new Account(record.nonce, record.balance, record.storageRoot, record.codeHash);
      const shared = { caller, to: address, code, data, gasPrice: fees.price, block, contract: account };
      const result = runner.run({ ...shared, gasLimit: gasLimit - gas.intrinsic }, slots, gasBudget);
      return result === null ? null : spentBy(gas, result);
    },
  };
}

const zeroCaller = libraryAddress(zeroAddress);

const isSameContract = (a: AccountRecord, b: AccountRecord): boolean =>
  bytesEqual(a.storageRoot, b.storageRoot) && bytesEqual(a.codeHash, b.codeHash);

/** Storage of one contract, for one call after the other. */
class ContractSlots implements Slots {
  reader: SlotReader;
  readonly #values = new Map<bigint, bigint>();
  readonly #warm = new Set<bigint>();

  constructor(reader: SlotReader) {
    this.reader = reader;
  }

  /** Begins a call: warm is what its access list names (EIP-2930). */
  warm({ to, accessList }: CallMessage): void {
    if (this.#warm.size > 0) this.#warm.clear();
    for (const { address, storageKeys } of accessList ?? [])
      if (address === to) for (const key of storageKeys) this.#warm.add(wordOfKey(key));
  }

  touch(slot: bigint): boolean {
    if (this.#warm.has(slot)) return true;
    this.#warm.add(slot);
    return false;
  }

  read(slot: bigint): bigint {
    const known = this.#values.get(slot);
    if (known !== undefined) return known;
    const value = bytesToWord(this.reader(wordToBytes(slot)));
    if (this.#values.size >= slotsMax) this.#values.clear();
    this.#values.set(slot, value);
    return value;
  }
}

const wordOfKey = (key: Hash): bigint => BigInt(key);
