import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Genesis, RegisteredValidator } from '@prime/codec';
import { createTestnet, homePaths, type HomePaths, type KeyPair, keyPair, placeFrom } from '@prime/config';
import { createCryptoProvider, type CryptoProvider } from '@prime/crypto';
import type { HotKey } from '@prime/engine';
import type { Address, Height, TimestampMs } from '@prime/primitives';
import { ValidatorKeys } from './validatorKeys.ts';

const owner = `0x${'0a'.repeat(20)}` as Address;
let home: HomePaths;
let provider: CryptoProvider;
let genesis: Genesis;
let first: KeyPair;
let second: KeyPair;
/** Keys in the home, the one in use first. */
let held: KeyPair[];

beforeEach(async () => {
  home = homePaths(mkdtempSync(join(tmpdir(), 'prime-keys-')));
  provider = await createCryptoProvider();
  let byte = 1;
  const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(byte++);
  const tls = [{ certificatePem: '', privateKeyPem: '', spki: `0x${'00'.repeat(32)}` }];
  const input = { preset: 'local', timestampMs: 1 as TimestampMs, places: [placeFrom(1_000, 0)], tls } as const;
  ({ genesis } = createTestnet({ ...input, randomBytes, provider }));
  [first, second] = [0x51, 0x52].map((fill) => keyPair(provider, new Uint8Array(32).fill(fill))) as [KeyPair, KeyPair];
  held = [first];
});
afterEach(() => {
  rmSync(home.home, { recursive: true, force: true });
});

const source = (): HotKey[] =>
  held.map(({ address, privateKey }) => ({ address, sign: (digest) => provider.sign(digest, privateKey) }));
/** As a start with nothing but genesis. */
const open = (): ValidatorKeys => new ValidatorKeys(genesis, source, home.validator);
const told = (signer: KeyPair, status: RegisteredValidator['status'] = 'active', height = 1) => ({
  height: height as Height,
  validators: [{ address: owner, signer: signer.address, status } as RegisteredValidator],
});

describe('whom the keys of a home vote for', () => {
  it('nobody before it joined', () => {
    expect(open().self()).toBeNull();
    expect(existsSync(home.validator)).toBe(false);
  });

  it('is known to a start that has only genesis, once the chain said so', () => {
    open().update(told(first));
    expect([open().self(), open().shown().address]).toEqual([owner, first.address]);
    // Genesis names others.
    const again = open();
    const other = { address: `0x${'0b'.repeat(20)}`, status: 'active' } as RegisteredValidator;
    again.update({ height: 0 as Height, validators: [other] });
    expect(again.self()).toBe(owner);
  });

  it('with the key of the latest exchange', () => {
    const keys = open();
    keys.update(told(first));
    held = [first, second];
    keys.update(told(second));
    expect([open().self(), open().shown().address]).toEqual([owner, second.address]);
  });

  it('with the key of the latest exchange, while blocks from before it are executed anew', () => {
    const keys = open();
    keys.update(told(first, 'active', 3));
    held = [first, second];
    keys.update(told(second, 'active', 7));
    const again = open();
    again.update(told(first, 'active', 0));
    expect([again.self(), again.shown().address]).toEqual([owner, second.address]);
    again.update(told(first, 'active', 3));
    again.update({ height: 6 as Height });
    expect(again.shown().address).toBe(second.address);
    expect(open().shown().address).toBe(second.address);
    again.update(told(second, 'active', 7));
    expect([again.self(), again.shown().address]).toEqual([owner, second.address]);
  });

  it('is what the chain says from the block of the note on', () => {
    const keys = open();
    keys.update(told(first, 'active', 3));
    held = [first, second];
    keys.update(told(second, 'active', 7));
    keys.update(told(first, 'active', 9));
    expect([keys.shown().address, open().shown().address]).toEqual([first.address, first.address]);
  });

  it('is forgotten when the validator left, and a damaged note is none', () => {
    const keys = open();
    keys.update(told(first));
    keys.update(told(first, 'left', 2));
    // Block 3 is its to decide.
    expect(keys.self()).toBe(owner);
    keys.update({ height: 3 as Height });
    expect([keys.self(), open().self(), existsSync(home.validator)]).toEqual([null, null, false]);
    writeFileSync(home.validator, '{"address":"0x');
    expect(open().self()).toBeNull();
  });

  it('counts for nothing with other keys', () => {
    open().update(told(first));
    held = [second];
    expect(open().self()).toBeNull();
  });
});
