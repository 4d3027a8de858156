import { describe, expect, it } from '@jest/globals';
import type { StoredBlock, ValidatorSet, Vote } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { BlockStore, SignStateRecord } from '../ports.ts';
import { simulatedGenesis } from '../testing/genesis.ts';
import { type DoubleSignGuard, SigningPermit } from './signingPermit.ts';

const address = (index: number): Address => `0x${`0${index}`.repeat(20)}` as Address;
const hash = `0x${'01'.repeat(32)}` as Hash;
const [self, ...others] = [1, 2, 3, 4].map(address) as [Address, ...Address[]];
/** Signer keys are not the addresses: nothing may mix them up. */
const keyOf = (owner: Address): Address => `${owner.slice(0, -1)}f` as Address;
const setOf = (powers: readonly bigint[] = [1n, 1n, 1n, 1n]): ValidatorSet =>
  ({
    validators: powers.map((power, index) => ({
      address: address(index + 1),
      signer: keyOf(address(index + 1)),
      power,
    })),
  }) as unknown as ValidatorSet;

const certificate = (height: number, signers: readonly Address[]) => ({
  height: height as Height,
  round: 0 as Round,
  blockHash: hash,
  signatures: signers.map((validator) => ({ validator, signature: new Uint8Array(65) })),
});
/** A block that is signed by some, and whose parent was signed by some. */
const block = (height: number, signers: readonly Address[], late = signers): StoredBlock =>
  ({
    hash,
    certificate: certificate(height, signers),
    block: { header: { height }, lastCommit: height === 1 ? null : certificate(height - 1, late) },
  }) as unknown as StoredBlock;

interface Given {
  readonly stored?: readonly StoredBlock[];
  readonly signed?: Pick<SignStateRecord, 'height' | 'round' | 'step'>;
  readonly guard?: Partial<DoubleSignGuard>;
  readonly isRemote?: boolean;
  readonly sentries?: readonly Address[];
  /** The sign state came with a backup. */
  readonly isSealed?: boolean;
}

function permitOf({ stored = [], signed, guard, sentries = [], isRemote = false, isSealed = false }: Given = {}) {
  const record = { current: (signed ?? null) as SignStateRecord | null };
  const seal = { isSealed };
  const warnings: string[] = [];
  const blocks = {
    head: () => (stored.at(-1)?.block.header.height ?? 0) as Height,
    base: () => (stored[0]?.block.header.height ?? 1) as Height,
    get: (height: Height) => stored.find((one) => one.block.header.height === height) ?? null,
    validators: () => setOf(),
  } as unknown as BlockStore;
  const key = {
    address: keyOf(self),
    ...(isRemote ? { request: () => undefined } : { sign: () => new Uint8Array(65) }),
  };
  const permit = new SigningPermit({
    genesis: simulatedGenesis([new Uint8Array(33).fill(2)]),
    signers: [key as never],
    sentries,
    log: { warn: (words) => warnings.push(words) },
    blocks,
    signState: {
      read: () => record.current,
      isSealed: () => seal.isSealed,
      unseal: () => void (seal.isSealed = false),
    },
    guard: { lookbackBlocks: 10, watchBlocks: 3, watchAlways: false, ...guard },
  });
  const consider = (head: number, highest = head, set = setOf()): void =>
    permit.consider({ head: head as Height, highest: highest as Height, validators: set, self });
  const decided = (height: number, signers: readonly Address[], late = signers): void => {
    permit.onBlock(block(height, signers, late), setOf());
    consider(height);
  };
  const hear = (head: number, ...peers: readonly Address[]): void => {
    for (const peer of peers) permit.onClaim(peer, head as Height);
  };
  return { permit, record, seal, warnings, consider, decided, hear };
}

const keyInUse = expect.objectContaining({ code: 'ENGINE_KEY_IN_USE' });
const at = (height: number, step: 1 | 2 | 3 = 3) => ({ height: height as Height, round: 0 as Round, step });

describe('SigningPermit: a home that does not know whether it is old', () => {
  it('signs once more than a third of the power has said where it stands, and nobody is ahead', () => {
    const { permit, consider, hear } = permitOf();
    hear(0, others[0]!);
    consider(0);
    expect(permit.standing).toEqual({ phase: 'hearing', from: null });
    hear(0, others[1]!);
    consider(0);
    expect(permit.isOpen).toBe(true);
  });

  it('behind sentries: once one of them has said where it stands, and it is not ahead', () => {
    const sentry = `0x${'5e'.repeat(20)}` as Address;
    const { permit, consider, hear } = permitOf({ sentries: [sentry] });
    consider(0);
    hear(9, sentry);
    consider(0, 9);
    expect(permit.isOpen).toBe(false);
    consider(9);
    expect(permit.isOpen).toBe(true);
    // Anybody else who is no validator says nothing.
    const other = permitOf();
    other.hear(9, sentry);
    other.consider(9);
    expect(other.permit.isOpen).toBe(false);
  });

  it('not while a peer is ahead, nor counting one that left', () => {
    const { permit, consider, hear } = permitOf();
    hear(9, others[0]!, others[1]!);
    consider(0, 9);
    expect(permit.isOpen).toBe(false);
    permit.onPeerGone(others[0]!);
    consider(9);
    expect(permit.isOpen).toBe(false);
    hear(9, others[2]!);
    consider(9);
    expect(permit.isOpen).toBe(true);
  });

  it('peers without power count nothing; alone it decides when it has more than two thirds', () => {
    const { permit, consider, hear } = permitOf();
    hear(0, address(8), address(9));
    consider(0);
    expect(permit.isOpen).toBe(false);
    consider(0, 0, setOf([7n, 1n, 1n, 1n]));
    expect(permit.isOpen).toBe(true);
  });

  it('with one that brings both over two thirds: without the rest it could decide too', () => {
    const { permit, consider, hear } = permitOf();
    const set = setOf([60n, 10n, 30n]);
    consider(0, 0, set);
    expect(permit.isOpen).toBe(false);
    hear(0, others[0]!);
    consider(0, 0, set);
    expect(permit.isOpen).toBe(true);
  });
});

describe('SigningPermit: own signatures that the sign state does not know', () => {
  const heard = (given: Given, head: number) => {
    const setup = permitOf(given);
    setup.permit.lookBack();
    setup.hear(head, ...others);
    setup.consider(head);
    return setup;
  };

  it('in stored blocks: an observer until others have decided the blocks of the watch', () => {
    const { permit, decided, warnings } = heard({ stored: [block(7, [self, ...others])], signed: at(5) }, 7);
    expect(permit.takesPart).toBe(false);
    expect(permit.standing).toEqual({ phase: 'watching', from: 11 });
    expect(warnings).toHaveLength(2);
    for (const height of [8, 9]) decided(height, others);
    expect(permit.isOpen).toBe(false);
    decided(10, others);
    expect([permit.isOpen, permit.takesPart]).toEqual([true, true]);
  });

  it('only in the certificate that the next block carries: found as well', () => {
    const { permit } = heard({ stored: [block(6, others), block(7, others, [self, ...others])], signed: at(5) }, 7);
    expect(permit.takesPart).toBe(false);
  });

  it('known to the sign state, beyond the look-back, or nobody wants to know: it signs', () => {
    const stored = [block(7, [self, ...others]), block(8, others, others)];
    expect(heard({ stored, signed: at(7) }, 8).permit.isOpen).toBe(true);
    expect(heard({ stored, signed: at(7, 2) }, 8).permit.isOpen).toBe(false);
    expect(heard({ stored, guard: { lookbackBlocks: 1 } }, 8).permit.isOpen).toBe(true);
    expect(heard({ stored, guard: { watchBlocks: 0 } }, 8).permit.isOpen).toBe(true);
  });

  it('in blocks that peers sent, as after the restore of a whole old home: the watch begins at the head', () => {
    const { permit, hear, consider } = permitOf({ signed: at(5) });
    hear(40, ...others);
    consider(5, 40);
    permit.onBlock(block(6, [self, ...others]), setOf());
    expect(permit.takesPart).toBe(false);
    consider(40);
    expect(permit.standing).toEqual({ phase: 'watching', from: 44 });
  });

  it('a signature at the height in progress when the watch began may be an earlier one; a later one can not', () => {
    const { permit, decided } = heard({ stored: [block(7, [self, ...others])], signed: at(5) }, 7);
    decided(8, [self, ...others]);
    decided(9, others, [self, ...others]);
    expect(() => decided(10, [self, ...others])).toThrow(keyInUse);
    expect(permit.isOpen).toBe(false);
  });

  it('votes tell as much, before any block', () => {
    const { permit } = heard({ stored: [block(7, [self, ...others])], signed: at(5) }, 7);
    const vote = (height: number, validator = self): Vote =>
      ({ validator, height, round: 0, type: 'prevote' }) as unknown as Vote;
    permit.onVote(vote(8), self);
    permit.onVote(vote(9, others[0]), self);
    expect(() => permit.onVote(vote(9), self)).toThrow(keyInUse);
  });

  it('a watermark that is raised meanwhile and covers them ends the watch', () => {
    const { permit, record, consider } = heard({ stored: [block(7, [self, ...others])], signed: at(5) }, 7);
    record.current = at(7) as SignStateRecord;
    consider(7);
    expect(permit.isOpen).toBe(true);
  });

  it('watchAlways: whatever the sign state knows', () => {
    const { permit, decided } = heard({ stored: [block(7, [self])], signed: at(9), guard: { watchAlways: true } }, 7);
    expect(permit.takesPart).toBe(false);
    for (const height of [8, 9, 10]) decided(height, others);
    expect(permit.takesPart).toBe(true);
  });
});

describe('SigningPermit while it signs', () => {
  it('a vote of the own key beyond what was signed here: ENGINE_KEY_IN_USE, unless a remote signer sees to it', () => {
    for (const isRemote of [false, true]) {
      const { permit, consider, hear } = permitOf({ signed: at(5), isRemote });
      hear(5, ...others);
      consider(5);
      const vote = (height: number, type: Vote['type']): Vote =>
        ({ validator: self, height, round: 0, type }) as unknown as Vote;
      permit.onVote(vote(5, 'precommit'), self);
      const later = (): void => permit.onVote(vote(6, 'prevote'), self);
      if (isRemote) expect(later).not.toThrow();
      else expect(later).toThrow(keyInUse);
    }
  });
});

describe('SigningPermit and peers that stay with another living process', () => {
  const seen = { peers: 2 };
  const tell = (permit: SigningPermit, ...peers: readonly Address[]): void => {
    for (const peer of peers) permit.onIdentityInUse(peer, { validators: setOf(), self });
  };

  it('before it signs: the end once more than a third of the power says so, and not for the word of one of four', () => {
    for (const suspicious of [false, true]) {
      const { permit, consider, hear } = permitOf(
        suspicious ? { stored: [block(7, [self, ...others])], signed: at(5) } : {},
      );
      if (suspicious) {
        permit.lookBack();
        hear(7, ...others);
        consider(7);
        expect(permit.standing.phase).toBe('watching');
      }
      tell(permit, others[0]!, others[0]!);
      expect(() => tell(permit, others[1]!)).toThrow(
        expect.objectContaining({ code: 'ENGINE_KEY_IN_USE', detail: expect.objectContaining({ seen }) }),
      );
    }
  });

  it('a peer that listens to this process by now says nothing of the kind any more', () => {
    const { permit, hear } = permitOf();
    tell(permit, others[0]!);
    hear(0, others[0]!);
    expect(() => tell(permit, others[1]!)).not.toThrow();
  });

  it('the word of an own sentry is enough', () => {
    const sentry = `0x${'5e'.repeat(20)}` as Address;
    expect(() => tell(permitOf({ sentries: [sentry] }).permit, sentry)).toThrow(keyInUse);
    expect(() => tell(permitOf().permit, sentry, `0x${'5f'.repeat(20)}` as Address)).not.toThrow();
  });

  it('while it signs, with the guards off, or behind a remote signer: it goes on', () => {
    const open = permitOf();
    open.hear(0, ...others);
    open.consider(0);
    expect(() => tell(open.permit, ...others)).not.toThrow();
    expect(open.warnings).toContain('a peer stays with another process that has the keys of this one');
    for (const given of [{ guard: { watchBlocks: 0 } }, { isRemote: true }])
      expect(() => tell(permitOf(given).permit, ...others)).not.toThrow();
  });
});

describe('SigningPermit: a sign state that came with a backup', () => {
  it('watches though the blocks show nothing, and signs behind what others decided meanwhile', () => {
    const { permit, seal, hear, consider, decided } = permitOf({ isSealed: true, signed: at(9) });
    expect(permit.takesPart).toBe(false);
    hear(9, others[0]!, others[1]!);
    consider(9);
    expect(permit.standing).toEqual({ phase: 'watching', from: 30 });
    for (let height = 10; height < 29; height++) decided(height, others);
    expect([permit.isOpen, seal.isSealed]).toEqual([false, true]);
    decided(29, others);
    expect([permit.isOpen, seal.isSealed]).toEqual([true, false]);
  });

  it('a network that stands still does not end the watch, whatever is heard', () => {
    const { permit, seal, hear, consider } = permitOf({ isSealed: true, signed: at(9) });
    for (let time = 0; time < 100; time++) {
      hear(9, ...others);
      consider(9);
    }
    expect([permit.isOpen, permit.takesPart, seal.isSealed]).toEqual([false, false, true]);
  });

  it('a guard that is switched off or shorter does not switch off this watch; a longer one is kept', () => {
    for (const [watchBlocks, from] of [
      [0, 30],
      [1, 30],
      [20, 30],
      [21, 31],
    ] as const) {
      const { permit, hear, consider } = permitOf({ isSealed: true, guard: { watchBlocks } });
      expect(permit.isOpen).toBe(false);
      hear(9, ...others);
      consider(9);
      expect([watchBlocks, permit.standing.from]).toEqual([watchBlocks, from]);
    }
  });

  it('a signature of the key behind the begin of the watch ends the process', () => {
    const { hear, consider, permit, decided, seal } = permitOf({ isSealed: true, guard: { watchBlocks: 0 } });
    hear(9, ...others);
    consider(9);
    // Height 10 was in progress: the process that was backed up may have signed it.
    decided(10, [self, ...others]);
    const vote = { validator: self, height: 11 as Height, round: 0 as Round, type: 'prevote' } as unknown as Vote;
    expect(() => permit.onVote(vote, self)).toThrow(keyInUse);
    expect(seal.isSealed).toBe(true);
  });

  it('another process that is connected with the key ends it before it watches', () => {
    const { permit, seal } = permitOf({ isSealed: true, guard: { watchBlocks: 0 } });
    permit.onIdentityInUse(others[0]!, { validators: setOf(), self });
    expect(() => permit.onIdentityInUse(others[1]!, { validators: setOf(), self })).toThrow(keyInUse);
    expect(seal.isSealed).toBe(true);
  });
});
