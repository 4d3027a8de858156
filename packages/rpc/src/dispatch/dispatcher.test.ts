import { describe, expect, it } from '@jest/globals';
import { defaultClobParams } from '@prime/codec';
import { PrimeError } from '@prime/primitives';
import { createDispatcher, defaultDispatcherLimits, type Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import { RpcError } from '../errors/errors.ts';
import { defaultRpcLimits, type NodeInfo, type RpcPorts } from '../ports/ports.ts';
import type { RequestContext } from './requestContext.ts';
import { sample } from '../schema/samples.ts';

const info: NodeInfo = {
  chainId: 7919,
  protocolVersion: 1,
  clientVersion: 'prime/0.1.0',
  selfTrade: 'cancel_maker',
  rules: {
    consensus: {
      minBlockIntervalMs: 50,
      emptyBlockIntervalMs: 1000,
      precisionMs: 500,
      messageDelayMs: 2000,
      maxBlockBytes: 524_288,
      maxBlockActions: 5000,
    },
    evm: { gasLimit: 30_000_000n, initialBaseFee: 1_000_000_000n },
    clob: defaultClobParams,
  },
  genesisText: () => '{"chainId":7919}',
  privacyForkBlock: null,
  limits: defaultRpcLimits,
};

const caller: RequestContext = {
  surface: 'public',
  transport: 'http',
  client: { id: 'address:127.0.0.1', apiKey: null, address: '127.0.0.1' },
};

/** Ports of which only those that a test gives work; any other use is an internal error. */
const portsWith = (ports: object): RpcPorts => ports as RpcPorts;

function dispatcher(ports: object = {}, limits: Partial<DispatcherOptions> = {}, failed: string[] = []): Dispatcher {
  const options = { info, ...defaultDispatcherLimits, ...limits };
  return createDispatcher(portsWith(ports), options, { onInternalError: (method) => failed.push(method) });
}

const ask = async (body: string, target: Dispatcher = dispatcher()): Promise<unknown> => {
  const answer = await target.handle(body, caller);
  return answer === null ? null : JSON.parse(answer.text);
};
const textOf = async (body: string): Promise<string | undefined> => (await dispatcher().handle(body, caller))?.text;
const request = (method: string, id: unknown = 1, params: unknown = []): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('dispatcher', () => {
  it('echoes string, number and null ids', async () => {
    for (const id of ['a', '', 0, -1.5, 9e15, null])
      expect(await ask(request('eth_chainId', id))).toEqual({ jsonrpc: '2.0', id, result: '0x1eef' });
  });

  it('answers without params, as viem and cast send it', async () => {
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"net_version"}')).toMatchObject({ result: '7919' });
  });

  it('does not answer a notification, but does carry it out', async () => {
    let asked = 0;
    const target = dispatcher({ network: { status: async () => ({ peerCount: ++asked }) } });
    expect(await ask('{"jsonrpc":"2.0","method":"net_peerCount"}', target)).toBeNull();
    expect(await ask('[{"jsonrpc":"2.0","method":"net_peerCount"}]', target)).toBeNull();
    expect(asked).toBe(2);
  });

  it('answers -32700 to what is not JSON and -32600 to what is no request', async () => {
    for (const body of ['', '{', 'nope', '{"a":1,}', '\u0000'])
      expect(await ask(body)).toMatchObject({ id: null, error: { code: -32700 } });
    for (const body of [
      'null',
      '1',
      '"x"',
      'true',
      '{}',
      '[]',
      '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}',
      '{"jsonrpc":"2.0","id":1}',
    ])
      expect([body, await ask(body)]).toMatchObject([body, { error: { code: -32600 } }]);
    for (const id of ['{}', '[]', 'true'])
      expect(await ask(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`)).toMatchObject({
        id: null,
        error: { code: -32600 },
      });
    // JSON.parse would round these, and their caller would wait for the answer to another one.
    for (const id of ['9007199254740991', '9007199254740993', '18446744073709551615', '-9007199254740993', '1e400'])
      for (const [method, part] of [
        ['eth_chainId', '"result":"0x1eef"'],
        ['eth_nothing', '"error"'],
      ]) {
        const one = `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
        expect(await textOf(one)).toContain(`{"jsonrpc":"2.0","id":${id},${part}`);
        expect(await textOf(`[{"id":1},${one}]`)).toContain(`,{"jsonrpc":"2.0","id":${id},${part}`);
      }
    expect(await ask('[1,null]')).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }]);
  });

  it('refuses deep nesting without parsing it', async () => {
    expect(await ask('['.repeat(20_000) + ']'.repeat(20_000))).toMatchObject({ error: { code: -32600 } });
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(await ask(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${deep}]}`)).toMatchObject({
      error: { code: -32600 },
    });
  });

  it('answers -32601 in go-ethereum words, also to names of object properties', async () => {
    for (const method of ['eth_getWork', '__proto__', 'constructor', 'toString', ''])
      expect(await ask(request(method))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32601, message: `the method ${method} does not exist/is not available` },
      });
  });

  it('refuses named parameters', async () => {
    expect(await ask(request('eth_chainId', 1, {}))).toMatchObject({ error: { code: -32602 } });
  });

  it('keeps the order of a batch whose answers come in another order', async () => {
    const release: (() => void)[] = [];
    const status = () => new Promise((resolve) => release.push(() => resolve({ peerCount: release.length })));
    const target = dispatcher({ network: { status } });
    const answer = target.handle(
      `[${request('net_peerCount', 1)},${request('eth_chainId', 2)},${request('net_peerCount', 3)}]`,
      caller,
    );
    while (release.length < 2) await Promise.resolve();
    release[1]!();
    release[0]!();
    expect((JSON.parse((await answer)!.text) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('answers at once, without a promise, what is in memory', () => {
    const chain = { head: () => ({ block: { header: { height: 42 } } }) };
    const target = dispatcher({ chain });
    expect(target.handle(request('eth_blockNumber'), caller)).toMatchObject({ refusal: null });
    expect(target.handle(`[${request('eth_blockNumber')},${request('eth_chainId', 2)}]`, caller)).toMatchObject({
      text: '[{"jsonrpc":"2.0","id":1,"result":"0x2a"},{"jsonrpc":"2.0","id":2,"result":"0x1eef"}]',
    });
    expect(target.inFlight).toBe(0);
  });

  it('tells how many requests it works on, batch items one by one, and of none that is answered at once', async () => {
    const told: number[] = [];
    const release: (() => void)[] = [];
    const network = {
      status: () => new Promise((resolve) => release.push(() => resolve({ peerCount: 3 }))),
    };
    const hooks = { onInFlight: (requests: number) => told.push(requests) };
    const target = createDispatcher(portsWith({ network }), { info, ...defaultDispatcherLimits }, hooks);
    await target.handle(request('eth_chainId'), caller);
    expect(told).toEqual([]);
    const alone = target.handle(request('net_peerCount'), caller);
    const batch = target.handle(`[${request('net_peerCount', 2)},${request('eth_chainId', 3)}]`, caller);
    expect(told).toEqual([1, 2]);
    release[1]!();
    await batch;
    release[0]!();
    await alone;
    expect(told).toEqual([1, 2, 1, 0]);
  });

  it('tells that one ended which failed, or was a notification', async () => {
    const told: number[] = [];
    const hooks = { onInFlight: (requests: number) => told.push(requests) };
    const network = { status: () => Promise.reject(new Error('gone')) };
    const target = createDispatcher(portsWith({ network }), { info, ...defaultDispatcherLimits }, hooks);
    await target.handle(request('net_peerCount'), caller);
    await target.handle('{"jsonrpc":"2.0","method":"net_peerCount"}', caller);
    expect(told).toEqual([1, 0, 1, 0]);
  });

  it('asks once per block for a call that is repeated, and anew for the pending block', async () => {
    let head = { block: { header: {} }, roots: {} };
    let calls = 0;
    const state = { call: async () => ({ status: 'success', output: `0x0${++calls}`, gasUsed: 1n }) };
    const target = dispatcher({
      chain: { head: () => head, nextBaseFee: async () => 1n },
      state,
      clock: { nowMs: () => 1 },
    });
    const call = (tag: string, data = '0x'): string => request('eth_call', 1, [{ to: sample.address, data }, tag]);
    const outputs = async (...bodies: readonly string[]) =>
      (await Promise.all(bodies.map((body) => ask(body, target)))).map(
        (answer) => (answer as { result: string }).result,
      );
    expect(await outputs(call('latest'), call('latest'), call('latest', '0xaa'))).toEqual(['0x01', '0x01', '0x02']);
    expect(await outputs(call('latest'), call('pending'), call('pending'))).toEqual(['0x01', '0x03', '0x04']);
    head = { ...head };
    expect(await outputs(call('latest'))).toEqual(['0x05']);
  });

  it.each(['eth_gasPrice', 'eth_maxPriorityFeePerGas'])(
    'looks at recent blocks once per block for %s',
    async (method) => {
      let head = { block: { header: { height: 9, baseFee: 7n } } };
      let looks = 0;
      const blockByHeight = async (): Promise<null> => {
        looks++;
        return null;
      };
      const target = dispatcher({ chain: { head: () => head, nextBaseFee: async () => 8n, blockByHeight } });
      const askThrice = (): Promise<unknown> => Promise.all([1, 2, 3].map((id) => ask(request(method, id), target)));
      await askThrice();
      expect(looks).toBe(9);
      head = { ...head };
      await askThrice();
      expect(looks).toBe(18);
    },
  );

  it('bounds the items of a batch, the length of answers and the requests at once', async () => {
    const batch = (count: number): string =>
      `[${Array.from({ length: count }, (_, id) => request('eth_chainId', id)).join(',')}]`;
    expect(await ask(batch(4), dispatcher({}, { batchItemsMax: 3 }))).toMatchObject({
      error: { code: -32005, data: { limit: 'batchItems', maximum: 3 } },
    });
    expect(await ask(batch(3), dispatcher({}, { responseLengthMax: 90 }))).toMatchObject([
      { result: '0x1eef' },
      { result: '0x1eef' },
      { id: 2, error: { code: -32005 } },
    ]);
    // A block is larger than many answers together may be.
    const length = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1eef' }).length;
    for (const [answerLengthMax, outcome] of [
      [length - 1, { error: { code: -32005, data: { limit: 'responseSize', maximum: length - 1 } } }],
      [length, { result: '0x1eef' }],
      [length + 1, { result: '0x1eef' }],
    ] as const)
      expect(
        await ask(request('eth_chainId', 1), dispatcher({}, { answerLengthMax, responseLengthMax: 1 })),
      ).toMatchObject(outcome);
    const waiting = `[${[0, 1, 2].map((id) => request('net_peerCount', id)).join(',')}]`;
    const network = { status: async () => ({ peerCount: 3 }) };
    expect(await ask(waiting, dispatcher({ network }, { inFlightMax: 2 }))).toMatchObject([
      { result: '0x3' },
      { result: '0x3' },
      { id: 2, error: { code: -32005 } },
    ]);
  });

  it('keeps no more of a batch in memory than its answer may hold, heavy items a few at a time', async () => {
    let running = 0;
    let most = 0;
    let calls = 0;
    const logs = async (): Promise<never[]> => {
      calls++;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return [];
    };
    const head = async () => ({ block: { header: { height: 5 } } });
    const target = dispatcher({ chain: { logs, head } }, { batchHeavyMax: 3, responseLengthMax: 200 });
    const batch = Array.from({ length: 50 }, (_, id) => request('eth_getLogs', id, [{}]));
    const answers = (await ask(`[${batch.join(',')}]`, target)) as { id: number; error?: { code: number } }[];
    expect(answers.map(({ id }) => id)).toEqual(batch.map((_, id) => id));
    expect(most).toBe(3);
    expect(calls).toBeLessThan(15);
    expect(answers.filter(({ error }) => error?.code === -32005).length).toBe(50 - 5);
  });

  it('tells the transport why the only request of a body was not carried out', async () => {
    const busy = new PrimeError('full', { code: 'READER_BUSY' });
    const target = dispatcher({ network: { status: () => Promise.reject(busy) } });
    expect(await target.handle(request('net_peerCount'), caller)).toMatchObject({ refusal: { kind: 'overload' } });
    expect(await target.handle(`[${request('net_peerCount')}]`, caller)).toMatchObject({ refusal: null });
    const refuse = () => {
      throw new RpcError('slow down', { code: 'RPC_RATE_LIMITED', limit: 'x', maximum: 1, retryAfterMs: 70 });
    };
    const options = { info, ...defaultDispatcherLimits };
    const limited = createDispatcher(portsWith({}), options, {}, { enter: refuse, leave: () => undefined });
    expect(await limited.handle(request('eth_chainId'), caller)).toMatchObject({
      refusal: { kind: 'rate', retryAfterMs: 70 },
    });
  });

  it('counts a request down again when it failed', async () => {
    const target = dispatcher({}, { inFlightMax: 1 });
    for (let round = 0; round < 3; round++)
      expect(await ask(request('net_peerCount'), target)).toMatchObject({ error: { code: -32603 } });
    expect(target.inFlight).toBe(0);
    expect(await ask(request('eth_chainId'), target)).toMatchObject({ result: '0x1eef' });
  });

  it('says how long each answer took, by the class of its method; of what is no method nothing', async () => {
    const answered: unknown[] = [];
    let now = 10;
    const slow = { status: async () => ((now += 7), { peerCount: 1 }) };
    const hooks = {
      nowMs: () => now,
      onAnswered: (...all: readonly unknown[]) => void answered.push(all),
    };
    const target = createDispatcher(portsWith({ network: slow }), { info, ...defaultDispatcherLimits }, hooks);
    await ask(`[${request('net_peerCount')},${request('eth_chainId')}]`, target);
    await ask(request('eth_call', 1, [{}, 'nonsense']), target);
    await ask(request('eth_nothing'), target);
    // The first one began before the second, and ended behind it.
    expect(answered).toEqual([
      ['read', true, 0],
      ['read', true, 7],
      ['call', false, 0],
    ]);
  });

  it('reports faults of the node to its log, and expected refusals not', async () => {
    const failed: string[] = [];
    const refuse = () => Promise.reject(new PrimeError('nonce too low', { code: 'MEMPOOL_NONCE_TOO_LOW' }));
    const target = dispatcher({ pool: { submit: refuse } }, {}, failed);
    expect(await ask(request('eth_sendRawTransaction', 1, ['0xc0']), target)).toMatchObject({
      error: { code: -32000, message: 'nonce too low' },
    });
    await ask(request('txpool_status'), target);
    expect(failed).toEqual(['txpool_status']);
  });

  it('refuses raw transactions that no pool should see', async () => {
    const send = async (raw: string) => ask(request('eth_sendRawTransaction', 1, [raw]));
    expect(await send('0x')).toMatchObject({ error: { code: -32602 } });
    expect(await send('0x03c0')).toMatchObject({
      error: { message: 'transaction type not supported: blob transactions are not supported' },
    });
    expect(await send('0x7fc0')).toMatchObject({ error: { code: -32000, message: 'transaction type not supported' } });
    expect(await send(`0x02${'00'.repeat(128 * 1024)}`)).toMatchObject({ error: { code: -32000 } });
  });
});
