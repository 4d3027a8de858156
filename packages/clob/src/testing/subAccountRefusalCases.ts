import { type ActionPayload, subAccountAddress } from '@prime/codec';
import { alice, bob, gateway, type Step } from './harness.ts';
import type { RefusalCase } from './refusalCase.ts';

/** Refusals of sub-accounts and of what is not for them; the scene allows two of an owner. */

const create = (index: number): ActionPayload => ({ type: 'createSubAccount', index });
const own: Partial<Step> = { signatureKind: 'raw' };
const firstOfAlice = subAccountAddress(alice, 1);

/** By what they are about; names are those of tests. */
export const subAccountRefusalCases: readonly RefusalCase[] = [
  {
    name: 'a sub-account that nobody signed for',
    code: 'CLOB_UNAUTHORIZED',
    words: `signer ${gateway} may not act for ${alice}`,
    payload: create(1),
  },
  {
    name: 'a sub-account that is there',
    code: 'CLOB_SUB_ACCOUNT_EXISTS',
    words: `sub-account 1 of ${alice} exists`,
    payload: create(1),
    prepare: (harness) => void harness.act(alice, create(1), own),
    more: () => own,
  },
  {
    name: 'a sub-account too many',
    code: 'CLOB_TOO_MANY_SUB_ACCOUNTS',
    words: 'too many sub-accounts',
    payload: create(3),
    prepare: (harness) => {
      for (const index of [1, 2]) harness.act(alice, create(index), own);
    },
    more: () => own,
  },
  {
    name: 'a withdrawal from a sub-account',
    code: 'CLOB_SUB_ACCOUNT',
    words: `${firstOfAlice} is a sub-account of ${alice}: transfer to the owner, who withdraws`,
    payload: { type: 'withdraw', to: alice, amount: 1n },
    prepare: (harness) => void harness.act(alice, create(1), own),
    more: () => ({ ...own, account: firstOfAlice, signer: alice }),
  },
  {
    name: 'an agent of a sub-account',
    code: 'CLOB_SUB_ACCOUNT',
    words: `${firstOfAlice} is a sub-account of ${alice}: approveAgent is for its owner's account`,
    payload: { type: 'approveAgent', agent: bob, expiry: 0, permissions: 1, name: '' },
    prepare: (harness) => void harness.act(alice, create(1), own),
    more: () => ({ ...own, account: firstOfAlice, signer: alice }),
  },
];
