import type { AccessListEntry } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { addressOfWord, hashOfWord, type OpcodeStep, type Tracer } from './hooks.ts';

const slotOpcodes: ReadonlySet<number> = new Set([0x54, 0x55]);
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT */
const accountOpcodes: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
const callOpcodes: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/** Collects the accounts and slots that code touches, as an EIP-2930 access list, in the order in which they are touched first. */
export class AccessListTracer implements Tracer {
  readonly wantsOpcodes = true;
  private readonly slots = new Map<Address, Set<Hash>>();
  private readonly excluded: ReadonlySet<Address>;

  /** @param excluded accounts that are warm anyway: they are listed only for their slots */
  constructor(excluded: ReadonlySet<Address>, known: readonly AccessListEntry[]) {
    this.excluded = excluded;
    for (const { address, storageKeys } of known) for (const key of [null, ...storageKeys]) this.touch(address, key);
  }

  opcode(step: OpcodeStep): void {
    const { opcode, stackLength } = step;
    if (slotOpcodes.has(opcode)) {
      if (stackLength >= 1) this.slotsOf(step.address).add(hashOfWord(step.peek(0)));
    } else if (accountOpcodes.has(opcode)) {
      if (stackLength >= 1) this.touch(addressOfWord(step.peek(0)), null);
    } else if (callOpcodes.has(opcode) && stackLength >= 5) this.touch(addressOfWord(step.peek(1)), null);
  }

  private touch(address: Address, key: Hash | null): void {
    if (key !== null) this.slotsOf(address).add(key);
    else if (!this.excluded.has(address)) this.slotsOf(address);
  }

  private slotsOf(address: Address): Set<Hash> {
    let slots = this.slots.get(address);
    if (slots === undefined) this.slots.set(address, (slots = new Set()));
    return slots;
  }

  get items(): readonly AccessListEntry[] {
    return [...this.slots].map(([address, slots]) => ({ address, storageKeys: [...slots] }));
  }

  /** Accounts and slots together: a list only ever grows, so the same count is the same list. */
  get size(): number {
    let size = 0;
    for (const slots of this.slots.values()) size += 1 + slots.size;
    return size;
  }

  result(): string {
    return JSON.stringify(this.items);
  }
}
