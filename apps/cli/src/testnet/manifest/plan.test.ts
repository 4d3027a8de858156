import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTestnetManifest } from './parse.ts';
import { type NetworkPlan, planNetwork } from './plan.ts';

const planOf = (text: string): NetworkPlan =>
  planNetwork(parseTestnetManifest(`format = "prime-testnet-1"\n${text}`, 'net.toml'));

/** A network of some size, with sentries before some of its validators, and signers for some. */
const shapes = fc
  .record({
    validators: fc.integer({ min: 1, max: 12 }),
    followers: fc.integer({ min: 0, max: 4 }),
    sentries: fc.array(fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
    signers: fc.uniqueArray(fc.nat(11), { maxLength: 5 }),
    basePort: fc.option(fc.integer({ min: 10_000, max: 60_000 })),
  })
  .map(({ validators, followers, sentries, signers, basePort }) => {
    const names = (numbers: readonly number[]): string =>
      JSON.stringify([...new Set(numbers.map((number) => `validator${number % validators}`))]);
    return [
      `validators = ${validators}`,
      `followers = ${followers}`,
      `remote_signers = ${names(signers)}`,
      ...(basePort === null ? [] : [`base_port = ${basePort}`]),
      ...sentries.map((numbers) => `[[sentries]]\nvalidators = ${names(numbers)}`),
    ].join('\n');
  });

describe('the plan of a network', () => {
  it('no port stands twice, and all of them are ports', () => {
    const check = (text: string): void => {
      const { nodes, signers } = planOf(text);
      const ports = [...nodes, ...signers].flatMap(({ ports: own }) => Object.values(own) as number[]);
      expect(new Set(ports).size).toBe(ports.length);
      for (const port of ports) expect(port > 0 && port <= 65_535).toBe(true);
    };
    fc.assert(fc.property(shapes, check));
    const all = JSON.stringify(Array.from({ length: 100 }, (_, index) => `validator${index}`));
    for (const base of ['', 'base_port = 30000\n'])
      check(`${base}validators = 100\nfollowers = 100\nremote_signers = ${all}`);
  });

  it('validators and sentries list each other; followers list whom they may know', () => {
    fc.assert(
      fc.property(shapes, (text) => {
        const { nodes } = planOf(text);
        const byName = new Map(nodes.map((node) => [node.name, node] as const));
        for (const { name, role, peers } of nodes) {
          expect(peers).not.toContain(name);
          for (const peer of peers)
            if (role !== 'follower')
              expect([name, peer, byName.get(peer)!.peers.includes(name)]).toEqual([name, peer, true]);
        }
      }),
    );
  });

  it('who is behind sentries knows these alone, and nobody else knows it', () => {
    fc.assert(
      fc.property(shapes, (text) => {
        const { nodes } = planOf(text);
        for (const node of nodes.filter(({ sentries }) => sentries.length > 0)) {
          expect([node.role, node.peers]).toEqual(['validator', node.sentries]);
          const knowing = nodes.filter(({ peers }) => peers.includes(node.name)).map(({ name }) => name);
          expect(knowing).toEqual(node.sentries);
          for (const sentry of nodes.filter(({ name }) => node.sentries.includes(name)))
            expect([sentry.role, sentry.shields.includes(node.name)]).toEqual(['sentry', true]);
          expect(node.isPublic).toBe(false);
        }
        expect(nodes.some(({ isPublic }) => isPublic)).toBe(true);
      }),
    );
  });

  it('everybody hears of everybody: what one says gets to all, over sentries too', () => {
    fc.assert(
      fc.property(shapes, (text) => {
        const { nodes } = planOf(text);
        const reached = new Set([nodes[0]!.name]);
        // Grows while it is walked through.
        for (const name of reached)
          for (const other of nodes)
            if (other.peers.includes(name) || nodes.find((node) => node.name === name)!.peers.includes(other.name))
              reached.add(other.name);
        expect(reached.size).toBe(nodes.length);
      }),
    );
  });

  it('a key is with the node, or with its signer', () => {
    const { nodes, signers } = planOf('validators = 2\nfollowers = 1\nremote_signers = ["validator1"]');
    expect(nodes.map(({ name, signer }) => [name, signer])).toEqual([
      ['validator0', null],
      ['validator1', 'signer1'],
      ['follower0', null],
    ]);
    expect(signers).toEqual([
      {
        name: 'signer1',
        validator: 'validator1',
        ports: { signerPort: 26_901, adminPort: 9_401 },
        host: null,
      },
    ]);
  });

  it('latency: for both directions unless both are named, none within a region and for who is in none', () => {
    const { linkRule } = planOf(
      'validators = 4\n[latency]\njitter_ms = 3\nregions = { a = ["validator0"], b = ["validator1"], c = ["validator2"] }\nms = { a = { b = 10, c = 20 }, c = { a = 30 } }',
    );
    const ms = (from: number, to: number): number[] => Object.values(linkRule({ from, to }));
    expect([ms(0, 1), ms(1, 0), ms(0, 2), ms(2, 0), ms(1, 2), ms(0, 3)]).toEqual([
      [10, 3],
      [10, 3],
      [20, 3],
      [30, 3],
      [0, 0],
      [0, 0],
    ]);
  });

  it('faults are in the order of their times, with the numbers of nodes of chaos runs', () => {
    const { faults } = planOf(
      'validators = 2\nfollowers = 1\n[[sentries]]\nvalidators = ["validator0"]\n[[faults]]\nat_seconds = 9\nfor_seconds = 2\nkind = "kill"\nvalidators = ["follower0", "sentry0"]\n[[faults]]\nat_seconds = 1\nfor_seconds = 2\nkind = "cut"\nlinks = [{ from = "validator1", to = "sentry0" }]',
    );
    expect(faults.map(({ words: _words, ...fault }) => fault)).toEqual([
      { beginMs: 1_000, endMs: 3_000, fault: { kind: 'cut', links: [{ from: 1, to: 2 }] } },
      { beginMs: 9_000, endMs: 11_000, fault: { kind: 'kill', validators: [3, 2] } },
    ]);
  });

  it('genesis has what the manifest says, and what the preset says where it says nothing', () => {
    const { made } = planOf(
      'name = "mine"\nchain_id = 5\nblock_interval_ms = 100\n[[validators]]\nmoniker = "alice"\nstake = 7\n[[validators]]\n',
    );
    expect(made.genesis).toEqual({ networkName: 'mine', chainId: 5, minBlockIntervalMs: 100 });
    const { made: priced, prices } = planOf(
      'prices = "none"\nvalidators = 1\n[[markets]]\nsymbol = "A/USD"\ntick_size = "1"\nlot_size = "1"\nprice = "0.5"\n[[markets]]\nsymbol = "B/USD"\ntick_size = "1"\nlot_size = "1"\n',
    );
    expect(priced.genesis!.markets!.map(({ symbol, oracle }) => [symbol, oracle])).toEqual([
      ['A/USD', true],
      ['B/USD', undefined],
    ]);
    expect([priced.genesis!.oracle, prices]).toEqual([false, { 'A/USD': '0.5' }]);
    expect(made.members).toEqual([
      { moniker: 'alice', stake: 7n * 10n ** 18n },
      { moniker: 'validator1', stake: 1_000n * 10n ** 18n },
    ]);
  });
});
