import { describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { parseGenesis } from '../genesis/genesisFile.ts';
import type { KeyPair } from '../keys/keys.ts';
import { parseKeystore, unlockKeystore } from '../keys/keystore.ts';
import { loadConfig } from '../load.ts';
import { defaultPlace, placeFrom, placeOn, type Testnet } from './testnet.ts';
import { parseUnlockedAccounts } from '../keys/unlockedAccounts.ts';
import { fileOf, provider, testNetwork, word } from '../testing/network.ts';

/** A key of the network, with the password that lies beside it. */
async function keyIn(made: Testnet, folder: string, name: string): Promise<KeyPair> {
  const keystore = parseKeystore(fileOf(made, `${folder}/${name}.json`).text, name);
  return unlockKeystore(provider, keystore, fileOf(made, `${folder}/password`).text.trim());
}

describe('createTestnet', () => {
  it('the same input gives the same network, another seed another one', () => {
    expect(testNetwork('local')).toEqual(testNetwork('local'));
    expect(testNetwork('local', defaultPlace, 2).genesisHash).not.toBe(testNetwork('local').genesisHash);
  });

  it('each home can be read back, and all hold the same genesis', async () => {
    const made = testNetwork('local');
    for (const [index, { name, signer, owner }] of made.validators.entries()) {
      const genesis = parseGenesis(fileOf(made, `${name}/genesis.json`).text);
      expect(genesisHash(genesis)).toBe(made.genesisHash);
      const { config } = loadConfig({ file: { name, text: fileOf(made, `${name}/config.toml`).text } });
      expect(config.rpc.listen).toEqual({ host: '127.0.0.1', port: 8545 + index });
      expect(config.p2p.listen?.port).toBe(26656 + index);
      expect(config.admin.listen?.port).toBe(9100 + index);
      expect(config.p2p.peers.map((peer) => peer.address)).toEqual(
        made.validators.filter((_, other) => other !== index).map((validator) => validator.owner.address),
      );
      expect(config.p2p.peers.map((peer) => peer.spki)).not.toContain(word(index));
      expect(await keyIn(made, `${name}/keys`, 'signer')).toEqual(signer);
      expect(await keyIn(made, 'owners', name)).toEqual(owner);
    }
  });

  it('only keys are secret files, and all of them are', () => {
    for (const { path, mode } of testNetwork('local').files) {
      const secret = /owners\/|signer\.json|password|tls\.key\.pem|unlocked\.json/.test(path);
      expect([path, mode]).toEqual([path, secret ? 0o600 : 0o644]);
    }
  });

  it('local: ten known funded accounts, unlocked, a funded faucet, two markets', () => {
    const made = testNetwork('local');
    const accounts = parseUnlockedAccounts(provider, fileOf(made, 'validator0/keys/unlocked.json').text, 'p');
    expect(accounts).toHaveLength(10);
    expect(accounts[0]?.address).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    expect(accounts[9]?.address).toBe('0xa0ee7a142d267c1f36714e4a8f75612f20a79720');
    const { genesis } = made;
    for (const { address } of accounts)
      expect(genesis.alloc.find((entry) => entry.address === address)?.balance).toBe(10_000n * 10n ** 18n);
    expect(genesis.alloc.some((entry) => entry.address === genesis.faucet && entry.balance > 0n)).toBe(true);
    expect(genesis).toMatchObject({ chainId: 7919, testNetwork: true, actions: 'open' });
    expect(genesis.markets).toHaveLength(2);
  });

  it('testnet: signatures, an administrator, nothing unlocked, no known account', () => {
    const made = testNetwork('testnet');
    expect(made.genesis).toMatchObject({ testNetwork: false, actions: 'signed', faucet: null });
    expect(made.genesis.clob.admin).toBe(made.validators[0]?.owner.address);
    expect(made.files.some(({ path }) => path.includes('unlocked'))).toBe(false);
    expect(made.genesis.alloc.some(({ address }) => address.startsWith('0xf39fd6'))).toBe(false);
  });

  it('places with other hosts: listens here, is dialled and advertised there', () => {
    const made = testNetwork('local', (index) => placeOn(`v${index}`));
    const { config } = loadConfig({ file: { name: 'c', text: fileOf(made, 'validator1/config.toml').text } });
    expect(config.p2p.listen).toEqual({ host: '0.0.0.0', port: 26_656 });
    expect(config.p2p.advertise).toEqual({ host: 'v1', port: 26_656 });
    expect(config.p2p.peers.map(({ host, port }) => `${host}:${port}`)).toEqual(['v0:26656', 'v2:26656', 'v3:26656']);
  });

  it('a base port: ten ports each, from there on', () => {
    const made = testNetwork('local', (index) => placeFrom(20_000, index));
    const { config } = loadConfig({ file: { name: 'c', text: fileOf(made, 'validator2/config.toml').text } });
    expect([config.rpc.listen, config.p2p.listen, config.admin.listen].map((place) => place?.port)).toEqual([
      20_020, 20_021, 20_022,
    ]);
    expect(config.p2p.advertise).toBeNull();
    expect(config.p2p.peers.map(({ port }) => port)).toEqual([20_001, 20_011, 20_031]);
  });

  it('refuses sizes that make no network', () => {
    expect(() => testNetwork('local', defaultPlace, 1, 0)).toThrow(RangeError);
    expect(() => testNetwork('local', defaultPlace, 1, 101)).toThrow(RangeError);
  });
});
