import type { Clock } from '@prime/engine';
import type { Address } from '@prime/primitives';
import type { NetworkLimits } from './limits.ts';

/**
 * Who is not talked to, and until when. Bans are of identities and never of IP addresses, because a whole test network or everybody
 * behind one proxy shares an address.
 *
 * A follower is banned for an hour. A validator is banned for 30 s, and twice as long for each further offence within the hour, up to 15
 * minutes: its votes are needed, and a fault that shows at all nodes at once (a bug, a bad disk, a version in between) would
 * else turn into an hour without quorum, while half a minute already makes an attack through it useless. Who was only slow is banned like a
 * validator: it may be no fault of its own.
 */
export interface BanRecord {
  readonly address: Address;
  /** Wall clock. */
  readonly untilMs: number;
  readonly reason: string;
  /** Offences so far; they are forgotten {@link NetworkLimits.banMs} after the ban's end. */
  readonly offences: number;
}

/** Where bans survive a restart. Failures are logged and do not stop the network. */
export interface BanStore {
  load(): Promise<readonly BanRecord[]>;
  save(records: readonly BanRecord[]): Promise<void>;
}

export interface BanList {
  load(): Promise<void>;
  /** End of the ban in force, or null. */
  bannedUntil(address: Address): number | null;
  /** @param isMild short at first, see {@link BanRecord}; @returns end of the ban */
  ban(address: Address, reason: string, isMild: boolean): number;
  lift(address: Address): void;
  /** Bans in force. */
  list(): readonly BanRecord[];
  /** Resolves when everything is stored. */
  settled(): Promise<void>;
}

/** Records kept; the one that ends first makes room. */
const recordsMax = 1_024;

/** A store may be a file that somebody edited. */
function isBanRecord(value: unknown): value is BanRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { address, reason, untilMs, offences } = value as Partial<Record<keyof BanRecord, unknown>>;
  return (
    typeof address === 'string' &&
    typeof reason === 'string' &&
    Number.isSafeInteger(untilMs) &&
    Number.isSafeInteger(offences)
  );
}

export function createBanList(options: {
  readonly clock: Clock;
  readonly limits: NetworkLimits;
  readonly store: BanStore | null;
  readonly onStoreError: (error: unknown) => void;
}): BanList {
  const { clock, limits, store } = options;
  const records = new Map<Address, BanRecord>();
  let saving: Promise<void> | null = null;
  let dirty = false;

  // A ban that seems to last longer than any can is left over from a clock that was set back since: it has no force.
  const inForce = (record: BanRecord, nowMs: number): boolean =>
    nowMs < record.untilMs && record.untilMs - nowMs <= Math.max(limits.banMs, limits.validatorBanMsMax);
  const save = async (): Promise<void> => {
    while (dirty && store !== null) {
      dirty = false;
      await store.save([...records.values()]).catch(options.onStoreError);
    }
    saving = null;
  };
  const changed = (): void => {
    dirty = true;
    saving ??= save();
  };
  const tidy = (nowMs: number): void => {
    for (const record of records.values()) if (record.untilMs + limits.banMs < nowMs) records.delete(record.address);
    if (records.size < recordsMax) return;
    const first = [...records.values()].reduce((a, b) => (b.untilMs < a.untilMs ? b : a));
    records.delete(first.address);
  };

  return {
    async load() {
      const stored: unknown = await (store?.load() ?? Promise.resolve([])).catch((error: unknown) => {
        options.onStoreError(error);
        return [];
      });
      if (!Array.isArray(stored)) return;
      for (const record of stored as readonly unknown[]) {
        if (records.size < recordsMax && isBanRecord(record)) records.set(record.address, record);
      }
    },
    bannedUntil(address) {
      const record = records.get(address);
      return record !== undefined && inForce(record, clock.nowMs()) ? record.untilMs : null;
    },
    ban(address, reason, isMild) {
      const nowMs = clock.nowMs();
      tidy(nowMs);
      const offences = (records.get(address)?.offences ?? 0) + 1;
      const durationMs = isMild
        ? Math.min(limits.validatorBanMsMax, limits.validatorBanMs * 2 ** (offences - 1))
        : limits.banMs;
      const untilMs = nowMs + durationMs;
      records.set(address, { address, untilMs, reason, offences });
      changed();
      return untilMs;
    },
    lift(address) {
      if (records.delete(address)) changed();
    },
    list() {
      const nowMs = clock.nowMs();
      return [...records.values()].filter((record) => inForce(record, nowMs));
    },
    settled: async () => saving ?? undefined,
  };
}
