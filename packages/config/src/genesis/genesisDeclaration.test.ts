import { describe, expect, it } from '@jest/globals';
import { defaultStakingParams, genesisHash } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { type Hash, parseAddress, toTimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import {
  collectGenesis,
  formatDeclaration,
  type GenesisBase,
  parseDeclaration,
  parseDeclarations,
} from './genesisDeclaration.ts';
import { keyPair } from '../keys/keys.ts';
import { presetGenesis } from '../testnet/presets.ts';

const provider = await cryptoProvider();
const network = { networkName: 'prime-1', chainId: 40_400 } as const;
const base: GenesisBase = presetGenesis(
  'testnet',
  { ...network, timestampMs: toTimestampMs(1_700_000_000_000) },
  { devAccounts: [], admin: parseAddress(`0x${'aa'.repeat(20)}`) },
);
const pairOf = (byte: number) => keyPair(provider, new Uint8Array(32).fill(byte));

/** The declaration of the n-th validator, n from 1 to 100, with changes that it signs as well. */
function declare(n: number, changes: Partial<Parameters<typeof formatDeclaration>[1]> = {}): string {
  const [owner, signer] = [pairOf(n), pairOf(n + 100)];
  const declaration = {
    ...network,
    moniker: `validator ${n}`,
    owner: owner.address,
    publicKey: signer.publicKey,
    stake: BigInt(n) * 10n ** 18n,
    host: `v${n}.example`,
    port: 26_656,
    spki: `0x${n.toString(16).padStart(64, '0')}` as Hash,
    ...changes,
  };
  return formatDeclaration(provider, declaration, { owner, signer });
}
const read = (...lines: readonly string[]) => parseDeclarations(provider, lines.join('\n'), 'lines');
const collect = (...lines: readonly string[]) => collectGenesis(base, read(...lines));
const edited = (line: string, field: string, value: unknown): string =>
  JSON.stringify({ ...(JSON.parse(line) as object), [field]: value });

describe('a genesis that several operators make together', () => {
  it('the same lines in any order, in one file or several, with empty lines between: the same text and hash', () => {
    const lines = [1, 2, 3, 4, 5].map((n) => declare(n));
    const { text, genesis } = collect(...lines);
    expect(genesis.validators.map(({ moniker }) => moniker).toSorted()).toEqual(
      [1, 2, 3, 4, 5].map((n) => `validator ${n}`),
    );
    fc.assert(
      fc.property(
        fc.shuffledSubarray(lines, { minLength: 5 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        (order, cut, end) => {
          const files = [order.slice(0, cut), order.slice(cut)].map((part) => part.join(end));
          const declarations = files.flatMap((file, index) => parseDeclarations(provider, file, `file ${index}`));
          const other = collectGenesis(base, declarations);
          expect(other.text).toBe(text);
          expect(genesisHash(other.genesis)).toBe(genesisHash(genesis));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('every field is signed by both keys: one that was changed afterwards is refused', () => {
    const line = declare(1);
    const changes: Record<string, unknown> = {
      network: 'prime-2',
      chainId: 40_401,
      moniker: 'another',
      owner: pairOf(9).address,
      publicKey: JSON.parse(declare(9)).publicKey,
      stake: '1000000000000000001',
      host: 'v2.example',
      port: 26_657,
      spki: `0x${'11'.repeat(32)}`,
      ownerSignature: JSON.parse(declare(9)).ownerSignature,
      signerSignature: JSON.parse(declare(9)).signerSignature,
    };
    for (const [field, value] of Object.entries(changes))
      expect(() => read(edited(line, field, value))).toThrow(
        expect.objectContaining({
          code: 'CONFIG_DECLARATION_UNSIGNED',
          detail: expect.objectContaining({ source: 'lines:1' }),
        }),
      );
    expect(() => read(edited(line, 'signerSignature', JSON.parse(line).ownerSignature))).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ by: 'signer' }) }),
    );
  });

  it('the line of another network or chain is refused, with both names', () => {
    for (const other of [{ networkName: 'prime-2' }, { chainId: 40_401 }])
      expect(() => collect(declare(1), declare(2, other))).toThrow(
        expect.objectContaining({
          code: 'CONFIG_DECLARATION_FOREIGN',
          detail: expect.objectContaining({ source: 'lines:2', expected: 'network "prime-1" with chain id 40400' }),
        }),
      );
  });

  it('what is one validator s alone is refused where two have it: the line itself, owner, key, pin, place, name', () => {
    const first = JSON.parse(declare(1)) as { host: string; moniker: string; spki: Hash };
    const same: [string, string][] = [
      ['owner', declare(1)],
      ['spki', declare(2, { spki: first.spki })],
      ['host and port', declare(2, { host: first.host.toUpperCase() })],
      ['moniker', declare(2, { moniker: first.moniker })],
    ];
    for (const [field, line] of same)
      expect(() => collect(declare(1), declare(3), line)).toThrow(
        expect.objectContaining({
          code: 'CONFIG_DECLARATION_REPEATED',
          detail: { code: 'CONFIG_DECLARATION_REPEATED', field, sources: ['lines:1', 'lines:3'] },
        }),
      );
    const [owner, signer] = [pairOf(2), pairOf(101)];
    const stolen = { ...read(declare(2))[0]!, publicKey: signer.publicKey };
    expect(() => collect(declare(1), formatDeclaration(provider, stolen, { owner, signer }))).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ field: 'publicKey' }) }),
    );
  });

  it('stake: the least that the network allows is taken, one wei less is refused', () => {
    const { minStake } = defaultStakingParams;
    expect(collect(declare(1, { stake: minStake })).genesis.validators[0]!.stake).toBe(minStake);
    expect(() => collect(declare(1, { stake: minStake - 1n }))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_DECLARATION_INVALID',
        detail: expect.objectContaining({ field: 'stake' }),
      }),
    );
  });

  it.each([
    ['no JSON', 'hello', 'line'],
    ['a number', '7', 'line'],
    ['another format', edited(declare(1), 'format', 'prime-key-1'), 'format'],
    ['an unknown field', edited(declare(1), 'role', 'full'), 'role'],
    ['a name that moves the cursor', edited(declare(1), 'moniker', 'a\u001b[2J'), 'moniker'],
    ['a name of 65 bytes', edited(declare(1), 'moniker', `${'é'.repeat(32)}a`), 'moniker'],
    ['an empty host', edited(declare(1), 'host', ''), 'host'],
    ['a host that ends a string', edited(declare(1), 'host', 'a"\nport = 1'), 'host'],
    ['port 0', edited(declare(1), 'port', 0), 'port'],
    ['port 65536', edited(declare(1), 'port', 65_536), 'port'],
    ['stake of 2^256', edited(declare(1), 'stake', String(1n << 256n)), 'stake'],
    ['stake below 0', edited(declare(1), 'stake', '-1'), 'stake'],
    ['a short signature', edited(declare(1), 'ownerSignature', '0x00'), 'ownerSignature'],
  ])('%s is refused by its field', (_name, line, field) => {
    expect(() => parseDeclaration(provider, line, 'a.json:1')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_DECLARATION_INVALID',
        detail: expect.objectContaining({ source: 'a.json:1', field }),
      }),
    );
  });

  it('a key that is no point, and no lines at all, are refused', () => {
    const line = edited(declare(1), 'publicKey', `0x02${'ff'.repeat(32)}`);
    expect(() => read(line)).toThrow(expect.objectContaining({ code: 'CONFIG_DECLARATION_UNSIGNED' }));
    expect(() => collect()).toThrow(expect.objectContaining({ code: 'CONFIG_GENESIS_INVALID' }));
  });
});
