import type { ReporterRecord } from '@prime/codec';
import { type Address, compareStrings, type TimestampMs } from '@prime/primitives';
import type { ClobState } from '../state/state.ts';

/**
 * In how many minutes of a day each validator reported prices. Who is silent is told of, and nobody is punished.
 *
 * @see docs/protocol/clob.md, Oracle
 */

const minuteMs = 60_000;
const minutesPerDay = 1_440;

/** A validator that was never seen. */
const stranger = (validator: Address): ReporterRecord => ({
  validator,
  observedAtMs: 0 as TimestampMs,
  prices: [],
  earlier: [],
  minute: 0,
  minutes: 0,
  reportedMinutes: 0,
  hasReported: false,
});

const dayOf = (minute: number): number => Math.floor(minute / minutesPerDay);

/** What is known of a validator's reports. */
export const reporterOf = (state: ClobState, validator: Address): ReporterRecord =>
  state.reporters.get(validator) ?? stranger(validator);

/** Counts the minute of a block for those who are active in it, and tells who was silent on the day before. */
export function countMinutes(state: ClobState): void {
  const minute = Math.floor(state.timestampMs / minuteMs);
  // All of them begin a minute together, but who became active in the middle of one.
  const behind = state
    .oracle!.reporters.map(({ validator }) => reporterOf(state, validator))
    .filter((record) => record.minute < minute)
    .sort((a, b) => compareStrings(a.validator, b.validator));
  for (const record of behind) {
    const isNewDay = dayOf(record.minute) < dayOf(minute);
    if (isNewDay) judge(state, record);
    const { minutes, reportedMinutes } = isNewDay ? { minutes: 0, reportedMinutes: 0 } : record;
    setReporter(state, { ...record, minute, minutes: minutes + 1, reportedMinutes, hasReported: false });
  }
}

function judge(state: ClobState, { validator, minutes, reportedMinutes }: ReporterRecord): void {
  if (2 * reportedMinutes < minutes)
    state.emit('oracle_missing', { validator, reported_minutes: reportedMinutes, minutes });
}

/** Sets what is known of a validator, until the block is taken back. */
export function setReporter({ reporters, dirtyReporters, journal }: ClobState, record: ReporterRecord): void {
  const { validator } = record;
  const before = reporters.get(validator);
  reporters.set(validator, record);
  dirtyReporters.add(validator);
  journal.push(() => {
    if (before === undefined) reporters.delete(validator);
    else reporters.set(validator, before);
  });
}
