import type { RegisteredValidator } from '@prime/codec';
import type { EngineLog, RosterEntry } from '@prime/engine';
import type { Address } from '@prime/primitives';

const words = {
  joined: 'joined',
  jailed: 'was jailed',
  unjailed: 'is out of jail',
  left: 'left',
  rotated: 'has another signer',
} as const;

/** What a block changed about a validator. */
export interface ValidatorEvent {
  readonly kind: keyof typeof words;
  readonly validator: Address;
  readonly moniker: string;
  /** Only of one that was jailed: block time, ms, or null where it never may. */
  readonly backFromMs?: number | null;
  /** Only of one that has another key. */
  readonly signer?: Address;
}

/** What is different about the validators after a block. One that is neither known nor in is none. */
export function validatorEvents(
  before: readonly RosterEntry[],
  after: readonly RegisteredValidator[],
): readonly ValidatorEvent[] {
  const known = new Map(before.map((entry) => [entry.address, entry]));
  return after.flatMap(({ address: validator, status, signer, moniker, tombstoned, jailedUntilMs }) => {
    const was = known.get(validator);
    const event = { validator, moniker };
    if (was === undefined || (was.status === 'left' && status !== 'left')) return [{ ...event, kind: 'joined' }];
    const events: ValidatorEvent[] = [];
    if (was.status !== status) {
      if (status === 'left') events.push({ ...event, kind: 'left' });
      else if (status === 'active') events.push({ ...event, kind: 'unjailed' });
      else events.push({ ...event, kind: 'jailed', backFromMs: tombstoned ? null : jailedUntilMs });
    }
    if (was.signer !== signer) events.push({ ...event, kind: 'rotated', signer });
    return events;
  });
}

/** Writes them, and what happened to the node's own validator as something to look at. */
export function logValidators(
  log: Pick<EngineLog, 'info' | 'warn'>,
  height: number,
  events: readonly ValidatorEvent[],
  self: Address | null,
): void {
  for (const { kind, ...fields } of events) {
    const isOwn = fields.validator === self;
    const isLoss = kind === 'jailed' || kind === 'left';
    const text = `${isOwn ? 'this validator' : 'a validator'} ${words[kind]}`;
    log[isOwn && isLoss ? 'warn' : 'info'](text, { height, ...fields });
  }
}
