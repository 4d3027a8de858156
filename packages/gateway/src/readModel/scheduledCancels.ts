import { decodeScheduledCancelRecord } from '@prime/codec';
import { type Address, bytesToHex } from '@prime/primitives';

/** When the orders of accounts are to end, by the records that blocks wrote. */
export class ScheduledCancels {
  private readonly timeOf = new Map<Address, number>();

  /** @param key as `scheduledCancelRecordKey` makes it */
  write(key: Uint8Array, value: Uint8Array | null): void {
    const account = bytesToHex(key.subarray(1)) as Address;
    if (value === null) this.timeOf.delete(account);
    else this.timeOf.set(account, decodeScheduledCancelRecord(value).atMs);
  }

  /** Block time, ms; undefined where none is set. */
  of(account: Address): number | undefined {
    return this.timeOf.get(account);
  }
}
