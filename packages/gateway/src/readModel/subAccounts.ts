import type { AccountRecord } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { SubAccountInfo } from '@prime/rpc';

/** Sub-accounts by their owners, as the records of accounts name them. An account that is one stays one. */
export class SubAccounts {
  private readonly byOwner = new Map<Address, Map<number, Address>>();

  note({ address, subAccount }: AccountRecord): void {
    if (subAccount === undefined) return;
    const { owner, index } = subAccount;
    const own = this.byOwner.get(owner);
    if (own === undefined) this.byOwner.set(owner, new Map([[index, address]]));
    else own.set(index, address);
  }

  /** By index. */
  of(owner: Address): readonly SubAccountInfo[] {
    return [...(this.byOwner.get(owner) ?? [])]
      .map(([index, address]) => ({ address, index }))
      .sort((a, b) => a.index - b.index);
  }
}
