import type { Clock } from '@prime/engine';
import type { Address } from '@prime/primitives';
import type { NetworkLimits } from '../limits.ts';

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
  /** Set by the operator: it may last up to {@link operatorBanMsMax}, and no later offence shortens it. Absent from this node's own. */
  readonly byOperator?: true;
}

/** The longest ban that an operator may set: a year. */
export const operatorBanMsMax = 366 * 24 * 3_600_000;

/** Where bans survive a restart. Failures are logged and do not stop the network. */
export interface BanStore {
  load(): Promise<readonly BanRecord[]>;
  save(records: readonly BanRecord[]): Promise<void>;
}

/** Bans and offences of this node. Times are milliseconds since the Unix epoch. */
export interface BanList {
  load(): Promise<void>;
  /** End of the ban in force, or null. */
  bannedUntil(address: Address): number | null;
  /** @param isMild short at first, see {@link BanRecord}; @returns end of the ban */
  ban(address: Address, reason: string, isMild: boolean): number;
  /** The operator's word: it takes the place of whatever was in force. @param durationMs up to {@link operatorBanMsMax} */
  banByOperator(address: Address, reason: string, durationMs: number): BanRecord;
  /** Offences that are not forgotten yet. */
  offences(address: Address): number;
  lift(address: Address): void;
  /** Bans in force. */
  list(): readonly BanRecord[];
  /** Resolves when nothing waits to be stored. @returns whether everything is; a failure of the store was reported then */
  saved(): Promise<boolean>;
}

/** Records kept; the one that ends first makes room, the node's own before the operator's. */
const recordsMax = 1_024;

/** A store may be a file that somebody edited. */
function isBanRecord(value: unknown): value is BanRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { address, reason, untilMs, offences, byOperator } = value as Partial<Record<keyof BanRecord, unknown>>;
  return (
    typeof address === 'string' &&
    typeof reason === 'string' &&
    Number.isSafeInteger(untilMs) &&
    Number.isSafeInteger(offences) &&
    (byOperator === undefined || byOperator === true)
  );
}

/**
 * A list without bans until {@link BanList.load}.
 *
 * @param options a null store forgets bans at the end of the process
 */
export function createBanList(options: {
  readonly clock: Clock;
  readonly limits: NetworkLimits;
  readonly store: BanStore | null;
  readonly onStoreError: (error: unknown) => void;
}): BanList {
  const { clock, limits, store } = options;
  const records = new Map<Address, BanRecord>();
  const { changed, saved } = createSaver(store, () => [...records.values()], options.onStoreError);
  const ownBanMsMax = Math.max(limits.banMs, limits.validatorBanMsMax);

  // A ban that seems to last longer than any can is left over from a clock that was set back since: it has no force.
  const inForce = ({ untilMs, byOperator }: BanRecord, nowMs: number): boolean =>
    nowMs < untilMs && untilMs - nowMs <= (byOperator === true ? operatorBanMsMax : ownBanMsMax);
  /** Room for a record of the address, which may have one. */
  const tidy = (nowMs: number, address: Address): void => {
    for (const record of records.values()) if (record.untilMs + limits.banMs < nowMs) records.delete(record.address);
    if (records.size < recordsMax || records.has(address)) return;
    const own = [...records.values()].filter(({ byOperator }) => byOperator !== true);
    const first = (own.length > 0 ? own : [...records.values()]).reduce((a, b) => (b.untilMs < a.untilMs ? b : a));
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
      tidy(nowMs, address);
      const previous = records.get(address);
      const offences = (previous?.offences ?? 0) + 1;
      const durationMs = isMild
        ? Math.min(limits.validatorBanMsMax, limits.validatorBanMs * 2 ** (offences - 1))
        : limits.banMs;
      const untilMs = nowMs + durationMs;
      const keeps = previous?.byOperator === true && previous.untilMs >= untilMs && inForce(previous, nowMs);
      const record = keeps ? { ...previous, offences } : { address, untilMs, reason, offences };
      records.set(address, record);
      changed();
      return record.untilMs;
    },
    banByOperator(address, reason, durationMs) {
      const nowMs = clock.nowMs();
      tidy(nowMs, address);
      const offences = records.get(address)?.offences ?? 0;
      const record: BanRecord = { address, untilMs: nowMs + durationMs, reason, offences, byOperator: true };
      records.set(address, record);
      changed();
      return record;
    },
    offences: (address) => records.get(address)?.offences ?? 0,
    lift(address) {
      if (records.delete(address)) changed();
    },
    list() {
      const nowMs = clock.nowMs();
      return [...records.values()].filter((record) => inForce(record, nowMs));
    },
    saved,
  };
}

/** Stores the records whenever they changed, one time after the other. */
function createSaver(
  store: BanStore | null,
  records: () => readonly BanRecord[],
  onError: (error: unknown) => void,
): { changed(): void; saved: BanList['saved'] } {
  let saving: Promise<void> | null = null;
  let dirty = false;
  let isStored = store !== null;
  const save = async (): Promise<void> => {
    while (dirty && store !== null) {
      dirty = false;
      isStored = await store.save(records()).then(
        () => true,
        (error: unknown) => {
          onError(error);
          return false;
        },
      );
    }
    saving = null;
  };
  return {
    changed() {
      dirty = true;
      saving ??= save();
    },
    async saved() {
      await saving;
      return isStored;
    },
  };
}
