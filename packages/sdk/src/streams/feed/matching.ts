import type { DomainEventOf, DomainEventFilter } from '../domainEvents.ts';

const accountFields: ReadonlySet<string> = new Set([
  'owner',
  'maker',
  'taker',
  'address',
  'counterparty',
  'account',
  'agent',
  'from',
  'to',
  'validator',
  'signer',
]);

/** Whether an event names an account, in any role. */
const namesAccount = ({ data }: Pick<DomainEventOf, 'data'>, accounts: readonly string[]): boolean =>
  Object.entries(data).some(([name, value]) => accountFields.has(name) && accounts.includes(value as string));

/** Whether a filter of the node selects an event. */
export function matchesFilter(event: DomainEventOf, { domain, kind, address }: DomainEventFilter): boolean {
  if (domain !== undefined && domain !== event.domain) return false;
  if (kind !== undefined && kind !== event.kind) return false;
  if (address === undefined) return true;
  const accounts = (typeof address === 'string' ? [address] : address).map((account) => account.toLowerCase());
  return accounts.length === 0 || namesAccount(event, accounts);
}
