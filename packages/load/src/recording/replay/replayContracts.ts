import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import type { FlowLineOf } from '../flow/flow.ts';

/** Addresses below are the same on every network: precompiles, and the order book. */
const sharedBelow = 0x10000n;

/** Which addresses of a replay stand for those of the flow. */
export class ReplayAddresses {
  readonly #ownAddress: (account: number) => Address;
  /** By index of the account in the flow. */
  readonly #names: string[] = [];
  readonly #accountOf = new Map<string, number>();
  readonly #created = new Map<number, Address>();
  readonly #signs = new Set<number>();

  /** @param ownAddress of the fresh account that stands for one of the flow */
  constructor(ownAddress: (account: number) => Address) {
    this.#ownAddress = ownAddress;
  }

  introduce({ account, name }: FlowLineOf<'account'>): void {
    this.#names[account] = name;
    this.#accountOf.set(name, account);
  }

  /** An account that sends something, so that it is nobody's contract. */
  signs(account: number): void {
    this.#signs.add(account);
  }

  create(account: number, address: Address): void {
    this.#created.set(account, address);
  }

  /** @returns null for a contract that the flow does not create */
  receiver(account: number, isCall: boolean): Address | null {
    const created = this.#created.get(account);
    if (created !== undefined) return created;
    const name = this.#names[account] ?? '';
    if (/^0x[0-9a-f]{40}$/.test(name) && BigInt(name) < sharedBelow) return name as Address;
    return isCall && !this.#signs.has(account) ? null : this.#ownAddress(account);
  }

  /**
   * Call data with addresses of the flow, where they are arguments in the encoding of ABI (words of 32 bytes behind the selector), replaced by those that
   * stand for them. Words of a creation are counted from its end.
   */
  translate(data: string, isCreation: boolean): Uint8Array {
    const bytes = hexToBytes(data);
    const first = isCreation ? bytes.length % wordBytes : selectorBytes;
    for (let at = first; at + wordBytes <= bytes.length; at += wordBytes) {
      if (bytes.subarray(at, at + addressAt).some((byte) => byte !== 0)) continue;
      const account = this.#accountOf.get(bytesToHex(bytes.subarray(at + addressAt, at + wordBytes)));
      if (account === undefined) continue;
      const address = this.receiver(account, false);
      if (address !== null) bytes.set(hexToBytes(address), at + addressAt);
    }
    return bytes;
  }
}

const wordBytes = 32;
const addressAt = 12;
const selectorBytes = 4;
