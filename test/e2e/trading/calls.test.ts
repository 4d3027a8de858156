import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileContract } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/**
 * The same call, asked of the head where it is cheap enough for the thread that reads the requests, of a node that gives all calls to its
 * readers, and of the past: the same bytes.
 */

const withInline = 0;
const withReaders = 1;
const chain = { sender: '', token: '', report: '', bad: '' };

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 2,
    // A head that stays for longer than a round of questions takes.
    idlePace: 'still',
    environmentOf: (index) => (index === withReaders ? { PRIME_LIMITS_INLINE_CALL_GAS: '0' } : {}),
  });
  await testnet.startAll();
  const [sender] = await call<string[]>('eth_accounts');
  chain.sender = sender!;
  const { bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  chain.token = await deploy(`${bytecode}${word(10n ** 24n)}`);
  chain.report = await deploy(creating(reportCode));
  chain.bad = await deploy(creating(badCode));
});
afterAll(() => testnet.destroy());

const call = <Result>(method: string, params: readonly unknown[] = []): Promise<Result> =>
  rpc(testnet.url(withInline), method, params);
const word = (value: bigint | number | string): string =>
  (typeof value === 'string' ? value.replace('0x', '') : value.toString(16)).padStart(64, '0');
const byte = (value: number): string => value.toString(16).padStart(2, '0');

async function deploy(data: string): Promise<string> {
  const hash = await call('eth_sendTransaction', [{ from: chain.sender, data, gas: '0x2dc6c0' }]);
  const receipt = await until('a receipt', () =>
    call<{ status: string; contractAddress: string } | null>('eth_getTransactionReceipt', [hash]),
  );
  expect(receipt.status).toBe('0x1');
  return receipt.contractAddress;
}

/** Init code that leaves a contract with the code: CODECOPY of what follows its 10 bytes. */
const creating = (code: string): string =>
  `0x61${(code.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${code}`;

const push2 = (value: number): string => `61${value.toString(16).padStart(4, '0')}`;

/** ADDRESS, ORIGIN, CALLER, … SELFBALANCE, BASEFEE, BLOBBASEFEE, GAS. */
const contextOpcodes = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a, 0x5a,
];

/** Code that returns what a contract can see without calling anybody, a word each. */
const reportCode = (() => {
  const computed = [
    // A slot, a transient one, ADDMOD, SIGNEXTEND, SAR, and a hash of what was there before.
    '5f54',
    '60075f5d 5f5c',
    '6003 6005 6007 08',
    '60ff 5f 0b',
    `7f80${'00'.repeat(31)} 6002 1d`,
    '610100 5f 20',
  ];
  const words = [...contextOpcodes.map(byte), ...computed.map((code) => code.replaceAll(' ', ''))];
  const stores = words.map((code, place) => `${code}${push2(32 * place)}52`);
  return `${stores.join('')}${push2(32 * words.length)}5ff3`;
})();

/** What {@link badCode} does, by the first byte of its data. */
const misdeeds = {
  invalid: 'fe',
  undefinedOpcode: '0c',
  badJump: '5f56',
  underflow: '01',
  callsPrecompile: '60205f60205f60025afa5060205ff3',
  invalidAfterMemory: '60ff6110005260015f55fe',
  endlessLoop: null,
} as const;
const badCode = (() => {
  const bodies = Object.values(misdeeds);
  // A comparison and a jump, 8 bytes, for each.
  let place = 4 + 8 * bodies.length;
  let head = '5f355f1a';
  let tail = '';
  for (const [kind, body] of bodies.entries()) {
    head += `8060${byte(kind)}14${push2(place)}57`;
    const code = `5b${body ?? `${push2(place)}56`}`;
    tail += code;
    place += code.length / 2;
  }
  return head + tail;
})();
const kindOf = (misdeed: keyof typeof misdeeds): string => `0x${byte(Object.keys(misdeeds).indexOf(misdeed))}`;

interface Asked {
  readonly [field: string]: unknown;
  readonly to: string;
}

/** What is asked, with state to assume where there is some. */
function questions(): readonly (readonly [asked: Asked, overrides?: unknown])[] {
  const { token: to, report, bad, sender } = chain;
  const nobody = `0x${'ab'.repeat(20)}`;
  const balanceOf = (holder: string): string => `0x70a08231${word(holder)}`;
  return [
    [{ to, data: balanceOf(sender) }],
    [{ to, data: balanceOf(nobody) }],
    [{ to, input: balanceOf(nobody), from: sender, gas: '0x186a0' }],
    ...['0x18160ddd', '0x95d89b41', '0x06fdde03', '0x313ce567'].map((data) => [{ to, data }] as const),
    [{ to, data: `0xdd62ed3e${word(sender)}${word(nobody)}` }],
    // Reverts: with a custom error, with nothing.
    [{ to, data: `0xa9059cbb${word(sender)}${word(1)}`, from: nobody }],
    [{ to, data: `0xa9059cbb${word(nobody)}${word(1)}`, from: sender }],
    [{ to, data: '0xdeadbeef' }],
    [{ to, data: '0x' }],
    [{ to: report, data: '0x' }],
    [{ to: report, data: '0x01', from: sender, gas: '0x30d40' }],
    [{ to: report, data: '0x01', from: sender, gasPrice: '0x2540be400', gas: '0x30d40' }],
    [{ to: report, data: '0x', accessList: [{ address: report, storageKeys: [`0x${word(0)}`] }] }],
    [{ to: report, data: '0x', accessList: [{ address: nobody, storageKeys: [`0x${word(0)}`] }] }],
    [{ to: report, data: '0x', from: report, gas: '0x30d40' }],
    ...(['invalid', 'undefinedOpcode', 'badJump', 'underflow', 'callsPrecompile', 'invalidAfterMemory'] as const).map(
      (misdeed) => [{ to: bad, data: kindOf(misdeed) }] as const,
    ),
    [{ to: bad, data: kindOf('endlessLoop'), gas: '0xea60' }],
    // Gas: too little to begin, and on the way.
    [{ to, data: balanceOf(sender), gas: '0x5208' }],
    [{ to, data: balanceOf(sender), gas: '0x5a00' }],
    [{ to: report, data: '0x', gas: '0x5600' }],
    // Funds and fees.
    [{ to, data: balanceOf(sender), from: nobody, gasPrice: '0x2540be400' }],
    [{ to, data: balanceOf(sender), maxFeePerGas: '0x1' }],
    [{ to, data: balanceOf(sender), value: '0x1', from: sender }],
    // Precompiles, nobody, and assumed state.
    [{ to: `0x${'2'.padStart(40, '0')}`, data: '0x61' }],
    [{ to: nobody, data: '0x61' }],
    [{ to: report, data: '0x' }, { [report]: { balance: '0x5' } }],
    [{ to: nobody, data: '0x' }, { [nobody]: { code: `0x${reportCode}` } }],
  ];
}

async function answers(index: number, height: number): Promise<string[]> {
  const block = `0x${height.toString(16)}`;
  const texts: string[] = [];
  for (const [id, [asked, overrides]] of questions().entries()) {
    const params = overrides === undefined ? [asked, block] : [asked, block, overrides];
    const response = await fetch(testnet.url(index), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params }),
    });
    texts.push(await response.text());
  }
  return texts;
}

const { heightOf } = nodesOf(() => testnet);
const reach = (index: number, height: number): Promise<true> =>
  until(`validator${index} reaches ${height}`, async () => (await heightOf(index)) >= height);

describe('eth_call', () => {
  it('in the thread that reads the requests, by a reader, and of the past: the same bytes', async () => {
    // The first call opens the state; after that cheap ones run at once.
    await answers(withInline, await heightOf(withInline));
    const [height, atHead] = await until('a round of questions within one block', async () => {
      const head = await heightOf(withInline);
      const round = await answers(withInline, head);
      return (await heightOf(withInline)) === head ? ([head, round] as const) : null;
    });
    await reach(withReaders, height);
    const byReaders = await answers(withReaders, height);
    await call('eth_sendTransaction', [{ from: chain.sender, to: chain.sender }]);
    await reach(withInline, height + 1);
    const ofThePast = await answers(withInline, height);
    for (const [index, question] of questions().entries()) {
      expect([question, atHead[index]]).toEqual([question, byReaders[index]]);
      expect([question, ofThePast[index]]).toEqual([question, byReaders[index]]);
    }
    expect(atHead.filter((text) => text.includes('"result"')).length).toBeGreaterThan(15);
    expect(new Set(atHead.flatMap((text) => /"message":"[^"]*/.exec(text) ?? [])).size).toBeGreaterThan(8);
  });
});
