import { describe, expect, it } from '@jest/globals';
import { createClient, custom, HttpRequestError, RpcRequestError, type Transport } from 'viem';
import { failover } from './failover.ts';
import { brokenConnection, rpcError } from './testing/stubNode.ts';

/** Nodes that answer with their own number, or with an error while they have one. */
function nodesOf(count: number) {
  const faults = new Map<number, Error>();
  const asked: number[] = [];
  const transports = Array.from(
    { length: count },
    (_, index): Transport =>
      custom({
        async request() {
          asked.push(index);
          const fault = faults.get(index);
          if (fault !== undefined) throw fault;
          return index;
        },
      }),
  );
  const ask = async (client: { readonly request: unknown }): Promise<unknown> =>
    (client.request as (question: object) => Promise<unknown>)({ method: 'eth_chainId' });
  /** Whom each question went to, since the last look. */
  const taken = (): readonly number[] => asked.splice(0);
  return { faults, transports, ask, taken };
}

describe('failover', () => {
  it('asks the first until it fails, and from then on the one that answered', async () => {
    const { faults, transports, ask, taken } = nodesOf(3);
    const client = createClient({ transport: failover(transports, { retryCount: 0 }) });
    expect([await ask(client), taken()]).toEqual([0, [0]]);
    faults.set(0, brokenConnection()).set(1, rpcError(-32_005, 'busy'));
    expect([await ask(client), taken()]).toEqual([2, [0, 1, 2]]);
    expect([await ask(client), taken()]).toEqual([2, [2]]);
    faults.clear();
    expect([await ask(client), taken()]).toEqual([2, [2]]);
    // Round the end of the list.
    faults.set(2, brokenConnection());
    expect([await ask(client), taken()]).toEqual([0, [2, 0]]);
    expect([await ask(client), taken()]).toEqual([0, [0]]);
  });

  it('where none answers, throws what the last one said, after as many rounds as wanted', async () => {
    const { faults, transports, ask, taken } = nodesOf(2);
    for (const index of [0, 1]) faults.set(index, brokenConnection());
    const once = createClient({ transport: failover(transports, { retryCount: 0 }) });
    await expect(ask(once)).rejects.toBeInstanceOf(HttpRequestError);
    expect(taken()).toEqual([0, 1]);
    const again = createClient({ transport: failover(transports, { retryCount: 2, retryDelay: 0 }) });
    await expect(ask(again)).rejects.toBeInstanceOf(HttpRequestError);
    expect(taken()).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it('leaves the one that did not answer also where the others refuse, and stays with one that refuses', async () => {
    const { faults, transports, ask, taken } = nodesOf(3);
    const client = createClient({ transport: failover(transports, { retryCount: 0 }) });
    faults.set(0, brokenConnection());
    for (const index of [1, 2]) faults.set(index, rpcError(-32_000, 'no'));
    await expect(ask(client)).rejects.toMatchObject({ code: -32_000 });
    expect(taken()).toEqual([0, 1, 2]);
    await expect(ask(client)).rejects.toBeInstanceOf(HttpRequestError);
    expect(taken()).toEqual([1, 2, 0]);
    faults.clear();
    expect([await ask(client), taken()]).toEqual([1, [1]]);
  });

  it('leaves a provider that throws, as it leaves a node that does not answer', async () => {
    const { faults, transports, ask, taken } = nodesOf(2);
    const client = createClient({ transport: failover(transports, { retryCount: 0 }) });
    faults.set(0, new Error('gone')).set(1, rpcError(-32_000, 'no'));
    await expect(ask(client)).rejects.toMatchObject({ code: -32_000 });
    taken();
    faults.clear();
    expect([await ask(client), taken()]).toEqual([1, [1]]);
  });

  it('asks nobody else about what a user refused or a transaction that reverts', async () => {
    const { faults, transports, ask, taken } = nodesOf(2);
    const client = createClient({ transport: failover(transports, { retryCount: 0 }) });
    faults.set(0, new RpcRequestError({ body: {}, error: { code: 3, message: 'execution reverted' }, url: 'x' }));
    await expect(ask(client)).rejects.toThrow('execution reverted');
    expect(taken()).toEqual([0]);
  });

  it('questions that are under way together hear of the failure each; those after them do not', async () => {
    const { faults, transports, ask, taken } = nodesOf(2);
    const client = createClient({ transport: failover(transports, { retryCount: 0 }) });
    faults.set(0, brokenConnection());
    expect(await Promise.all([ask(client), ask(client)])).toEqual([1, 1]);
    expect(taken()).toEqual([0, 0, 1, 1]);
    expect([await ask(client), taken()]).toEqual([1, [1]]);
  });

  it('clients of one failover share what it learned', async () => {
    const { faults, transports, ask, taken } = nodesOf(2);
    const transport = failover(transports, { retryCount: 0 });
    faults.set(0, brokenConnection());
    await ask(createClient({ transport }));
    taken();
    expect([await ask(createClient({ transport })), taken()]).toEqual([1, [1]]);
  });

  it('over one node is that node, and over none an error', async () => {
    const { transports, ask } = nodesOf(1);
    expect(await ask(createClient({ transport: failover(transports) }))).toBe(0);
    expect(() => failover([])).toThrow(expect.objectContaining({ code: 'TRANSPORT_MISSING' }));
  });
});
