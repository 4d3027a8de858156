import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { createProtocolSchedule, genesisHash, protocolVersionMax } from '@prime/codec';
import { createPrng, type Height, toTimestampMs } from '@prime/primitives';
import { createTestnet, defaultPlace, formatGenesis, loadConfig, parseGenesis, protocolSchedule } from '../index.ts';

const provider = await createCryptoProvider();
const prng = createPrng(1);
const { genesis: plain } = createTestnet({
  preset: 'local',
  timestampMs: toTimestampMs(1_700_000_000_000),
  places: [defaultPlace(0)],
  tls: [{ certificatePem: '', privateKeyPem: '', spki: `0x${'1'.repeat(64)}` }],
  randomBytes: (length) => Uint8Array.from({ length }, () => prng.below(256)),
  provider,
});

const config = (text: string) => loadConfig({ file: { name: 'config.toml', text } }).config.upgrades;
const at = (height: number): Height => height as Height;
const two = { version: 2, height: at(10) };

describe('upgrades of a network', () => {
  it('genesis without any has the hash that it had before there were some, and one with some another', () => {
    const planned = { ...plain, upgrades: [two] };
    expect(JSON.parse(formatGenesis(plain))).not.toHaveProperty('upgrades');
    expect(parseGenesis(formatGenesis(planned))).toEqual(planned);
    expect(genesisHash(planned)).not.toBe(genesisHash(plain));
  });

  it.each([
    ['version 1', [{ version: 1, height: 5 }]],
    ['block 0', [{ version: 2, height: 0 }]],
    ['none', []],
    ['versions that do not grow', [two, { version: 2, height: 20 }]],
    ['heights that do not grow', [two, { version: 3, height: 10 }]],
  ])('genesis is refused with %s', (_, upgrades) => {
    const text = JSON.stringify({ ...JSON.parse(formatGenesis(plain)), upgrades });
    expect(() => parseGenesis(text)).toThrow(expect.objectContaining({ code: 'CONFIG_GENESIS_INVALID' }));
  });

  it('the configuration adds to what genesis says', () => {
    const added = config('[upgrades]\nschedule = [{ version = 3, height = 20 }]\n');
    const { upgrades, knownMax } = protocolSchedule({ upgrades: [two] }, added);
    expect(upgrades).toEqual([two, { version: 3, height: 20 }]);
    expect(knownMax).toBe(protocolVersionMax);
    expect(protocolSchedule({}, config('')).upgrades).toEqual([]);
  });

  it('the configuration can not say anything else about what genesis has', () => {
    for (const entry of ['{ version = 2, height = 30 }', '{ version = 3, height = 10 }']) {
      const added = config(`[upgrades]\nschedule = [${entry}]\n`);
      expect(() => protocolSchedule({ upgrades: [two] }, added)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }),
      );
    }
  });

  it('version_max holds a node back, and can not make it follow what its program does not know', () => {
    const held = config('[upgrades]\nversion_max = 1\n');
    expect(protocolSchedule({ upgrades: [two] }, held).rulesAt(at(10))).toBeNull();
    expect(() => config(`[upgrades]\nversion_max = ${protocolVersionMax + 1}\n`)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }),
    );
    const unknown = [{ version: protocolVersionMax + 1, height: at(5) }];
    expect(createProtocolSchedule(unknown, protocolVersionMax + 1).rulesAt(at(5))).toBeNull();
  });
});
