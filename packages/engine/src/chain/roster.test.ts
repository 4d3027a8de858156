import { describe, expect, it } from '@jest/globals';
import type { RegisteredValidator } from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import { createCryptoProvider, keccak256 } from '@prime/crypto';
import { type Address, type Height, utf8ToBytes } from '@prime/primitives';
import { ValidatorRoster } from './roster.ts';
import { simulatedGenesis } from '../testing/genesis.ts';

const provider = await createCryptoProvider();
const genesis = simulatedGenesis(
  Array.from({ length: 4 }, (_, index) => provider.publicKey(keccak256(utf8ToBytes(`validator ${index}`)))),
);
const { validators } = validatorsFromGenesis(genesis.validators);
const [one, two] = validators as [(typeof validators)[0], (typeof validators)[0]];
const fresh = `0x${'aa'.repeat(20)}` as Address;

type Change = Partial<Pick<RegisteredValidator, 'status' | 'signer'>>;
/** What the chain says after a block; without a change, that nothing changed. */
const after = (height: number, change?: Change) => ({
  height: height as Height,
  ...(change !== undefined && {
    validators: validators.map(
      (each) => ({ status: 'active', ...each, ...(each === one && change) }) as unknown as RegisteredValidator,
    ),
  }),
});

describe('a validator that leaves in block 5', () => {
  const roster = new ValidatorRoster(genesis);
  const standing = () => ({
    signers: roster.signersOf(one.address),
    former: roster.formerSignersOf(one.address),
    isMember: roster.members().some(({ address }) => address === one.address),
    validator: roster.validatorOf(one.signer),
  });
  const stays = { signers: [one.signer], former: [], isMember: true, validator: one.address };
  const gone = { signers: [], former: [one.signer], isMember: false, validator: null };

  it('stays until block 6 is executed, which it has to decide', () => {
    roster.update(after(4));
    expect(standing()).toEqual(stays);
    expect(roster.update(after(5, { status: 'left' }))).toBe(true);
    expect(standing()).toEqual(stays);
    expect(roster.update(after(6))).toBe(true);
    expect(standing()).toEqual(gone);
    expect(roster.update(after(7))).toBe(false);
    expect(standing()).toEqual(gone);
  });

  it('the same after a restart at block 5, where the store knows who decides block 6', () => {
    const again = new ValidatorRoster(genesis);
    again.begin(after(5, { status: 'left' }), { validators });
    expect(again.validatorOf(one.signer)).toBe(one.address);
    expect(again.update(after(6))).toBe(true);
    expect(again.validatorOf(one.signer)).toBeNull();
    const later = new ValidatorRoster(genesis);
    later.begin(after(6, { status: 'left' }), { validators: validators.filter((each) => each !== one) });
    expect(later.signersOf(one.address)).toEqual([]);
  });

  it('is no member sooner for what somebody else does in block 6', () => {
    const other = new ValidatorRoster(genesis);
    other.update(after(5, { status: 'left' }));
    const both = validators.map((each) => ({ ...each, status: each === one || each === two ? 'left' : 'active' }));
    other.update({ height: 6 as Height, validators: both as unknown as RegisteredValidator[] });
    expect(other.signersOf(one.address)).toEqual([]);
    expect(other.signersOf(two.address)).toEqual([two.signer]);
  });
});

describe('a key that is exchanged in block 5', () => {
  it('and the one before it both count, until something else changes; after a restart while block 6 is to be decided', () => {
    const roster = new ValidatorRoster(genesis);
    roster.update(after(5, { signer: fresh }));
    expect(roster.signersOf(one.address)).toEqual([fresh, one.signer]);
    expect([roster.validatorOf(fresh), roster.validatorOf(one.signer)]).toEqual([one.address, one.address]);
    roster.update(after(6));
    expect(roster.signersOf(one.address)).toEqual([fresh, one.signer]);
    expect(roster.validatorOf(one.signer)).toBeNull();
    const again = new ValidatorRoster(genesis);
    again.begin(after(5, { signer: fresh }), { validators });
    expect(again.signersOf(one.address)).toEqual([fresh, one.signer]);
    again.update(after(6));
    expect(again.signersOf(one.address)).toEqual([fresh]);
  });
});

describe('a validator that joins in block 5', () => {
  it('is a member at once, jailed or not, and nobody else is', () => {
    const roster = new ValidatorRoster(genesis);
    expect(roster.members()).toHaveLength(4);
    expect(roster.signersOf(fresh)).toEqual([]);
    const newcomer = { address: fresh, signer: two.signer, status: 'jailed' } as RegisteredValidator;
    roster.update({ height: 5 as Height, validators: [...after(5, {}).validators!, newcomer] });
    expect(roster.signersOf(fresh)).toEqual([two.signer]);
    expect(roster.members()).toHaveLength(5);
  });
});
