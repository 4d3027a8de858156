import { describe, expect, it } from '@jest/globals';
import { decodeNativeTransaction, decodeRlp, encodeRlp, type RlpItem, verifyNativeTransaction } from '@prime/codec';
import { keccak256, keccakHex, recoverAddress } from '@prime/crypto';
import { bigintToBytes, bytesToBigint, concatBytes, hexToBytes, utf8ToBytes } from '@prime/primitives';
import { drawsOf } from '@prime/testkit/draws';
import { builtInScenario } from './builtInScenarios.ts';
import { builtInNames } from './builtInTexts.ts';
import { intendedRefusals } from './intendedRefusals.ts';
import type { Operation } from './operation.ts';
import { operationsOf } from './operations.ts';
import { withSize } from './parseScenario.ts';
import { factsAfterSetup, firstDrafts, firstOperations, freshFacts, provider, scenarioOf } from './testing/networks.ts';

const small = (name: string) => {
  const scenario = builtInScenario(name);
  return withSize(scenario, scenario.sizes.ci[0]!);
};
const digestOf = (operations: readonly Operation[]): string =>
  keccakHex(
    utf8ToBytes(operations.map(({ kind, method, params, hash }) => `${kind} ${method} ${params} ${hash}`).join('\n')),
  );

const rawOf = ({ params }: Operation): Uint8Array => hexToBytes((JSON.parse(params) as [string])[0]);

interface Found {
  readonly sender: string | null;
  readonly nonce: number;
}

/** Sender and nonce of an EIP-1559 transaction, by the RLP of its twelve fields. @param claimed who it is of where nothing is recovered */
function readTransaction(raw: Uint8Array, isRecovered = true, claimed: string | null = null): Found {
  const fields = decodeRlp(raw.subarray(1)) as readonly RlpItem[];
  if (raw[0] !== 2 || fields.length !== 12) return { sender: 'no EIP-1559 transaction', nonce: -1 };
  const number = (index: number): number => Number(bytesToBigint(fields[index] as Uint8Array));
  const message = concatBytes(Uint8Array.of(2), encodeRlp(fields.slice(0, 9) as never));
  const signature = new Uint8Array(65);
  for (const [place, index] of [10, 11].entries()) {
    const part = bigintToBytes(bytesToBigint(fields[index] as Uint8Array));
    signature.set(part, 32 * (place + 1) - part.length);
  }
  signature[64] = number(9);
  const sender = isRecovered ? recoverAddress(provider, keccak256(message), signature) : claimed;
  return { sender, nonce: number(0) === freshFacts.chainId ? number(1) : -1 };
}

/**
 * Takes all operations apart, and looks at the order of nonces; signatures of every tenth, because they cost most.
 *
 * @returns what is wrong, in words; no matcher for each of them, which would take longer than all the rest
 */
function wrongIn(operations: readonly Operation[], afterMs: number): string[] {
  const next = new Map<string, number>();
  const wrong: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const { method, params, hash, sender, kind } = operation;
    if (hash === null) {
      if (sender !== null || !params.startsWith('[') || !Array.isArray(JSON.parse(params)))
        wrong.push(`${index} ${kind}: no read`);
      continue;
    }
    const raw = rawOf(operation);
    const isNative = raw[0] === 0x50;
    const isRecovered = index % 10 === 0;
    const found = isNative ? readAction(raw, isRecovered, sender) : readTransaction(raw, isRecovered, sender);
    const key = `${isNative} ${sender}`;
    const nonce = next.get(key) ?? (isNative ? found.nonce : 0);
    next.set(key, nonce + 1);
    if (method !== 'eth_sendRawTransaction' || keccakHex(raw) !== hash) wrong.push(`${index} ${kind}: not its hash`);
    if (found.sender !== sender) wrong.push(`${index} ${kind}: of ${found.sender}, not of ${sender}`);
    if (found.nonce !== nonce || (isNative && nonce <= afterMs)) wrong.push(`${index} ${kind}: nonce ${found.nonce}`);
  }
  return wrong;
}

function readAction(raw: Uint8Array, isRecovered: boolean, claimed: string | null): Found {
  if (!isRecovered) return { sender: claimed, nonce: decodeNativeTransaction(raw).nonce };
  const verified = verifyNativeTransaction(raw, freshFacts.chainId, provider);
  return 'failure' in verified
    ? { sender: verified.failure, nonce: -1 }
    : { sender: verified.signer, nonce: verified.transaction.nonce };
}

describe('operations of a scenario that is built in', () => {
  it.each(builtInNames())('%s: the first are valid, of their senders, with nonces that follow each other', (name) => {
    const operations = firstOperations(small(name), drawsOf(500));
    expect(wrongIn(operations, freshFacts.timeMs)).toEqual([]);
    expect(new Set(operations.flatMap(({ hash }) => hash ?? [])).size).toBe(
      operations.filter(({ hash }) => hash !== null).length,
    );
  });

  it.each(builtInNames())('%s: the same seed gives the same, another one gives others', (name) => {
    const hash = (seed: number): string => digestOf(firstOperations(small(name), drawsOf(75), { seed }));
    const [seven, again, eight] = [hash(7), hash(7), hash(8)];
    expect(again).toBe(seven);
    expect(eight).not.toBe(seven);
  });

  it.each(builtInNames())('%s: each kind is one of the mix or named', (name) => {
    const scenario = small(name);
    const kinds = new Set(firstDrafts(scenario, 5_000).map(({ kind }) => kind.split('/')[0]!));
    const named = new Set([...scenario.mix.map(({ kind }) => kind as string), 'fill', 'noop']);
    expect([...kinds].filter((kind) => !named.has(kind))).toEqual([]);
    // Every part of the mix sends something.
    expect(scenario.mix.filter(({ kind }) => !kinds.has(kind))).toEqual([]);
  });
});

describe('workers', () => {
  it.each(['maker', 'transfers', 'cancel-all', 'liquidation-cascade'])(
    '%s: no sender belongs to two of them',
    (name) => {
      const senders = [0, 1, 2].map(
        (worker) =>
          new Set(firstOperations(small(name), 400, { partition: { worker, workers: 3 } }).map(({ sender }) => sender)),
      );
      const all = senders.flatMap((set) => [...set]);
      expect(all.length).toBeGreaterThan(6);
      expect(new Set(all).size).toBe(all.length);
    },
  );

  it('have together the accounts of one alone, and the same mix', () => {
    const scenario = builtInScenario('maker');
    const shares = (workers: number): Map<string, number> => {
      const drafts = Array.from({ length: workers }, (_, worker) =>
        firstDrafts(scenario, 24_000 / workers, { partition: { worker, workers } }),
      ).flat();
      const senders = new Set(drafts.flatMap((draft) => (draft.as === 'action' ? draft.account : [])));
      expect(senders.size).toBe(64);
      const counts = new Map<string, number>();
      for (const { kind } of drafts) counts.set(kind, (counts.get(kind) ?? 0) + 1 / drafts.length);
      return counts;
    };
    const [one, four] = [shares(1), shares(4)];
    for (const [kind, share] of one) expect([kind, Math.abs(share - four.get(kind)!) < 0.02]).toEqual([kind, true]);
  });

  it('client ids of one are not those of another, nor of a later run', () => {
    const labels = (worker: number, timeMs: number): string[] =>
      firstDrafts(builtInScenario('maker'), 2_000, {
        partition: { worker, workers: 2 },
        facts: { ...freshFacts, timeMs },
      }).flatMap((draft) => (draft.as === 'action' && draft.payload.type === 'order' ? [draft.payload.clientId!] : []));
    const all = [labels(0, 10 ** 12), labels(1, 10 ** 12), labels(0, 10 ** 12 + 1)].flat();
    expect(all.length).toBeGreaterThan(2_000);
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((label) => /^0x[0-9a-f]{32}$/.test(label))).toBe(true);
  });
});

describe('a mix', () => {
  it.each(['maker', 'exchange-core', 'reads', 'subscribers'])('%s: shares are the weights', (name) => {
    const scenario = builtInScenario(name);
    const count = 40_000;
    const drafts = firstDrafts(scenario, count);
    const total = scenario.mix.reduce((sum, { weight }) => sum + weight, 0);
    for (const { kind, weight } of scenario.mix) {
      const wanted = weight / total;
      const share = drafts.filter((draft) => draft.kind === kind).length / count;
      // Five standard deviations of what is drawn, and what fills the books first.
      const allowed = 5 * Math.sqrt((wanted * (1 - wanted)) / count) + 0.01;
      expect([kind, share, Math.abs(share - wanted) < allowed]).toEqual([kind, share, true]);
    }
  });

  it('of two parts nine to one', () => {
    const scenario = scenarioOf(['kind = "transfer"\nweight = 9', 'kind = "noop"\nweight = 1']);
    const drafts = firstDrafts(scenario, 10_000);
    const noops = drafts.filter(({ kind }) => kind === 'noop').length;
    expect(Math.abs(noops - 1_000)).toBeLessThan(150);
  });
});

describe('a network', () => {
  it('without the markets of the setup: refused with the symbol', () => {
    const partition = { worker: 0, workers: 1 };
    const make = () => operationsOf(builtInScenario('maker'), { seed: 7, partition, facts: freshFacts, provider });
    expect(make).toThrow(
      expect.objectContaining({ detail: { code: 'LOAD_MARKET_MISSING', symbol: 'MAKER-7.0/LOAD' } }),
    );
  });

  it('whose markets the scenario names: their grid is kept to', () => {
    const scenario = scenarioOf(['kind = "order_gtc"\nweight = 1'], 'symbols = ["ETH/USD"]');
    const facts = factsAfterSetup(scenario, 7, 1);
    expect(facts.markets).toEqual(freshFacts.markets);
    for (const draft of firstDrafts(scenario, 200)) {
      if (draft.as !== 'action' || draft.payload.type !== 'order') continue;
      const { marketId, price, size } = draft.payload;
      expect([marketId, price % 5n, size % 10n]).toEqual([2, 0n, 0n]);
    }
  });

  it('in which accounts sent transactions before: nonces go on from theirs', () => {
    const facts = { ...freshFacts, nonceOf: (account: number) => 100 + account };
    const operations = firstOperations(builtInScenario('transfers'), 128, { facts });
    const nonces = operations.map((operation) => readTransaction(rawOf(operation)).nonce);
    expect(nonces.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, account) => 100 + account));
    expect(nonces.slice(64)).toEqual(Array.from({ length: 64 }, (_, account) => 101 + account));
  });
});

describe('refusals that are intended', () => {
  it('are those of the kind, in each of its steps', () => {
    const scenario = builtInScenario('cancel-all');
    expect([...intendedRefusals(scenario, 'cancel_all/place').reasons]).toEqual(['too_many_open_orders']);
    expect([...intendedRefusals(scenario, 'sweep').reasons]).toEqual(['reduce_only']);
    expect(intendedRefusals(scenario, 'liquidate/takers').codes.has(-32001)).toBe(true);
    expect(intendedRefusals(scenario, 'transfer').reasons.size).toBe(0);
    expect(intendedRefusals(builtInScenario('transfers'), 'transfer').reasons.size).toBe(0);
  });

  it('and those that a part of the mix names; books may begin with any of them', () => {
    const scenario = scenarioOf([
      'kind = "order_gtc"\nweight = 1\nrefusals = ["insufficient_margin", -32000]',
      'kind = "cancel"\nweight = 1',
    ]);
    const { reasons, codes } = intendedRefusals(scenario, 'order_gtc');
    expect([[...reasons], [...codes]]).toEqual([['insufficient_margin'], [-32000]]);
    expect([...intendedRefusals(scenario, 'cancel').reasons]).toEqual(['unknown_client_id']);
    expect(intendedRefusals(scenario, 'fill').reasons.has('insufficient_margin')).toBe(true);
    expect(intendedRefusals(scenario, 'noop').reasons.size).toBe(0);
  });
});
