import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { RecentAccounts } from './recentAccounts.ts';

const one = `0x${'01'.repeat(20)}` as Address;
const other = `0x${'02'.repeat(20)}` as Address;

describe('accounts of the newest block', () => {
  it('are told as the block left them, whether it is written or not', () => {
    const accounts = new RecentAccounts();
    expect(() => accounts.account(one)).toThrow('before the database was open');
    accounts.onCommit({ accounts: [{ address: one, nonce: 3, balance: 30n }] });
    accounts.over({ account: () => ({ nonce: 1, balance: 10n, delegated: true }) });
    expect(accounts.account(one)).toEqual({ nonce: 3, balance: 30n, delegated: true });
    expect(accounts.account(other)).toEqual({ nonce: 1, balance: 10n, delegated: true });
    // The one before it is in the database by then.
    accounts.onCommit({ accounts: [{ address: other, nonce: 5, balance: 50n }] });
    expect(accounts.account(one)).toEqual({ nonce: 1, balance: 10n, delegated: true });
    expect(accounts.account(other)).toEqual({ nonce: 5, balance: 50n, delegated: true });
  });
});
